import Glibc
import Testing

@testable import HomeServices

@Suite("HomeServices / fingerprint")
struct FingerprintTests {
    @Test("the command, the environment, the secrets and the files of the inputs count, and nothing else")
    func inputs() throws {
        let folder = try TemporaryFolder()
        var service = Service.sample("jobs")
        service.inputs = ["bin/x", "sql"]
        service.ignoredInput = "sql/temp"
        var last = Fingerprint(of: service, in: folder.home)

        func changes(_ file: String, _ text: String) throws -> Bool {
            try folder.write(file, text)
            let next = Fingerprint(of: service, in: folder.home)
            defer { last = next }
            return next != last
        }
        #expect(try changes("services/jobs.env", "A='b'"))
        #expect(try changes("services/jobs.secrets", "A='b'"))
        #expect(try changes("bin/x", "1"))
        #expect(try changes("sql/deep/er.sql", "1"))
        #expect(try changes("sql/deep/er.sql", "2"))
        #expect(try !changes("sql/deep/er.sql", "2"), "the same contents again")
        #expect(try !changes("sql/temp/x", "1"))
        #expect(try !changes("services/fcgi.env", "A='b'"))
        #expect(try !changes("services/fcgi.secrets", "A='b'"))
        service.command += ["--more"]
        #expect(Fingerprint(of: service, in: folder.home) != last)
    }

    @Test("a program counts by which file it is, and is not read")
    func programs() throws {
        let folder = try TemporaryFolder()
        var service = Service.sample("jobs")
        service.inputs = ["bin"]
        let program = String(repeating: "1", count: Fingerprint.largestReadFile + 1)
        try folder.write("bin/x", program)
        let first = Fingerprint(of: service, in: folder.home)
        #expect(Fingerprint(of: service, in: folder.home) == first)

        // As deploy/run replaces a program.
        try folder.write("new/x", String(repeating: "2", count: program.utf8.count))
        #expect(rename("\(folder.path)/new/x", "\(folder.path)/bin/x") == 0)
        let second = Fingerprint(of: service, in: folder.home)
        #expect(second != first)

        // Another home may link to the same file.
        #expect(link("\(folder.path)/bin/x", "\(folder.path)/new/x") == 0)
        #expect(Fingerprint(of: service, in: folder.home) == second)
    }
}
