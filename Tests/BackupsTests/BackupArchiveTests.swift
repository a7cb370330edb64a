import Glibc
import Testing

@testable import Backups

/// A folder that is deleted with this object.
private final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/lectern-backups-XXXXXX".utf8CString)
        mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { system("rm -rf \(path)") }

    func write(_ name: String, _ text: String) -> String {
        let file = fopen("\(path)/\(name)", "w")
        fputs(text, file)
        fclose(file)
        return "\(path)/\(name)"
    }

    func bytes(_ name: String) -> [UInt8] {
        guard let file = fopen("\(path)/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }
}

private func makeBackup(in folder: TemporaryFolder) throws {
    let about = BackupAbout(
        lectern: "1", createdAt: "2026-01-01T00:00:00Z", postgres: 15, migration: 3, counts: .init(rows: ["a.b": 2]))
    let file = folder.write("picture", "a picture")
    link(file, "\(folder.path)/same")
    let output = try BackupOutput(path: "\(folder.path)/backup")
    let writer = BackupArchiveWriter(output)
    try writer.add(BackupAbout.name, about.json[...], modified: 1)
    try writer.add("database/000001", [1, 2, 3], modified: 1)
    #expect(try writer.add(file: file, as: "home/pictures/ab/one"))
    #expect(try writer.add(file: "\(folder.path)/same", as: "home/pictures/ab/two"))
    #expect(try !writer.add(file: "\(folder.path)/none", as: "home/pictures/ab/none"))
    #expect(access("\(folder.path)/backup", F_OK) != 0)
    try writer.finish()
}

private func read(_ path: String) throws -> [String] {
    let reader = try BackupArchiveReader(path: path)
    var found: [String] = []
    while let entry = try reader.next() {
        let content = try reader.content(limit: 1_000)
        found.append("\(entry.name) \(entry.hardLink ?? String(content.count))")
    }
    return found
}

@Suite("Backups / archive")
struct BackupArchiveTests {
    @Test("what is written is read; a second name of a file is a link; tar reads it, too")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        try makeBackup(in: folder)
        let names = try read("\(folder.path)/backup")
        #expect(
            Array(names.dropFirst()) == [
                "database/000001 3", "home/pictures/ab/one 9", "home/pictures/ab/two home/pictures/ab/one",
            ])
        let summary = try HomeRestore("\(folder.path)/backup", migrations: 3).verify()
        #expect(summary.files == 2 && summary.rows == 2 && summary.about.migration == 3)
        #expect(system("cd \(folder.path) && tar -xf backup && cmp home/pictures/ab/two picture") == 0)
        #expect(
            system(
                "cd \(folder.path) && head -c -65 backup | sha256sum | cut -c -64 >hash; tail -c 65 backup | cmp - hash"
            )
                == 0)
        var status = stat()
        stat("\(folder.path)/backup", &status)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("any byte that is changed, added or missing is noticed")
    func damage() throws {
        let folder = TemporaryFolder()
        try makeBackup(in: folder)
        let bytes = folder.bytes("backup")
        func isRefused(_ bytes: [UInt8]) -> Bool {
            let file = fopen("\(folder.path)/damaged", "w")
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            return (try? HomeRestore("\(folder.path)/damaged", migrations: 3).verify()) == nil
        }
        #expect(!isRefused(bytes))
        for index in Array(stride(from: 0, to: bytes.count, by: 29)) + (bytes.count - 70..<bytes.count) {
            var damaged = bytes
            // Turns a letter of the hash into the same one in upper case, too.
            damaged[index] ^= 0x20
            #expect(isRefused(damaged), "byte \(index)")
        }
        for size in [0, 1, 64, 65, 66, 512, bytes.count / 2, bytes.count - 65, bytes.count - 1] {
            #expect(isRefused(Array(bytes[..<size])), "\(size) bytes")
        }
        #expect(isRefused(bytes + [0]))
    }

    @Test("an output that is given up leaves nothing")
    func abandoned() throws {
        let folder = TemporaryFolder()
        do {
            let output = try BackupOutput(path: "\(folder.path)/backup")
            try output.write([1, 2, 3])
        }
        #expect(system("test -z \"$(ls -A \(folder.path))\"") == 0)
    }

    @Test("a backup of a newer format is refused with its number")
    func newerFormat() {
        let json = Array(#"{"format":3}"#.utf8)
        #expect(throws: BackupError.newerFormat("x", format: 3)) { try BackupAbout(parsing: json, of: "x") }
    }

    @Test(
        "only files of a home are restored",
        arguments: [
            ("settings.env", true), ("secrets/jwt_secret", true), ("pictures/ab/c.webp", true), ("imports/a", true),
            ("postgres/postgresql.conf", true), ("postgres/pg_hba.conf", false), ("secrets/a/b", false),
            ("secrets/../bin/lectern", false), ("../x", false), ("/etc/passwd", false), ("bin/lectern", false),
            ("", false),
        ])
    func names(name: String, isAllowed: Bool) { #expect(HomeFiles.mayBeRestored(name) == isAllowed) }
}

@Suite("Backups / rotation")
struct BackupRotationTests {
    @Test("a folder keeps the newest backups and every other file")
    func folder() {
        let folder = TemporaryFolder()
        _ = folder.write("notes.tar", "")
        for day in 1...4 {
            let rotation = BackupRotation(to: folder.path, keep: 2, now: 1_790_000_000 + day * 86_400)
            _ = folder.write(BackupOutput.parts(of: rotation.path).name, "")
            rotation.removeOld()
        }
        #expect(
            system(
                "cd \(folder.path) && test \"$(echo *)\" = 'lectern-20260924T141320Z.tar lectern-20260925T141320Z.tar notes.tar'"
            )
                == 0)
    }

    @Test("a file moves the ones before to numbered names")
    func file() {
        let folder = TemporaryFolder()
        for number in 1...4 {
            let rotation = BackupRotation(to: "\(folder.path)/b", keep: 3, now: 0)
            _ = folder.write("new", "\(number)")
            rotation.willReplace()
            rename("\(folder.path)/new", rotation.path)
            rotation.removeOld()
        }
        #expect(folder.bytes("b") == Array("4".utf8) && folder.bytes("b.1") == Array("3".utf8))
        #expect(folder.bytes("b.2") == Array("2".utf8) && folder.bytes("b.3") == [])
    }
}
