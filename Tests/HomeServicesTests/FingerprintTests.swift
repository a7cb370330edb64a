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

    @Test("a program counts with its size and its time, and is not read")
    func programs() throws {
        let folder = try TemporaryFolder()
        var service = Service.sample("jobs")
        service.inputs = ["bin"]
        let text = String(repeating: "1", count: Fingerprint.largestReadFile + 1)

        func fingerprint(_ text: String, builtAt seconds: Int) throws -> Fingerprint {
            try folder.write("bin/x", text)
            let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 5), count: 2)
            #expect(utimensat(AT_FDCWD, "\(folder.path)/bin/x", times, 0) == 0)
            return Fingerprint(of: service, in: folder.home)
        }
        let first = try fingerprint(text, builtAt: 1)
        #expect(try fingerprint(text, builtAt: 2) != first)
        #expect(try fingerprint(text + "1", builtAt: 1) != first)
        #expect(try fingerprint(text, builtAt: 1) == first, "the first program again")
    }
}
