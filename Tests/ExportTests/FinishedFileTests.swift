import Glibc
import Testing

@testable import Export

@Suite("Export / finished file")
struct FinishedFileTests {
    @Test("a written file gets its name, its permissions, and its size is returned")
    func kept() throws {
        let path = "/tmp/lectern-finished-\(getpid())-\(UInt32.random(in: .min ... .max))"
        let descriptor = open(path + ".part", O_CREAT | O_WRONLY, 0o600)
        #expect(write(descriptor, "tea", 3) == 3)
        close(descriptor)
        #expect(try FinishedFile.keep(path + ".part", as: path, mode: 0o640) == 3)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(access(path + ".part", F_OK) != 0)
        unlink(path)
    }

    @Test("a missing file is an error that names the system call")
    func missing() {
        let error = #expect(throws: FileFailure.self) {
            _ = try FinishedFile.keep("/nonexistent/a", as: "/nonexistent/b", mode: 0o640)
        }
        #expect(error?.call == "open" && error?.description == "open: No such file or directory")
    }
}
