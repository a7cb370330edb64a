import Folders
import Glibc
import Testing

@testable import Books

@Suite("Books / folder")
struct BookFolderTests {
    @Test("a book has its cover beside it, and is deleted with it")
    func covers() throws {
        let path = "/tmp/lectern-books-\(getpid())-\(UInt32.random(in: .min ... .max))"
        #expect(mkdir(path, 0o700) == 0)
        let folder = BookFolder(path: path)
        let work = try folder.makeWorkFolder()
        try work.write(Array("cover".utf8), to: "cover")
        // The cover of the book is also that of the book with highlights.
        let hashes = try ["plain", "marked"].map { name in
            try work.write(Array(name.utf8), to: name)
            return try folder.keep("\(work.path)/\(name)", cover: "\(work.path)/cover").hash
        }
        for hash in hashes {
            var status = stat()
            #expect(folder.holds(hash))
            #expect(stat(folder.coverFile(of: hash), &status) == 0 && status.st_mode & 0o777 == 0o640)
        }
        // The same book again, as after a change that was taken back.
        try work.write(Array("plain".utf8), to: "again")
        #expect(try folder.keep("\(work.path)/again", cover: "\(work.path)/cover").hash == hashes[0])
        for hash in hashes {
            folder.remove(hash)
            #expect(Folder.names(in: "\(path)/\(hash.prefix(2))") == [])
            rmdir("\(path)/\(hash.prefix(2))")
        }
        WorkFolder.remove(work.path)
        #expect(rmdir(path) == 0)
    }

    @Test("books and covers without their book are listed once they are old enough, and no other file")
    func oldFiles() throws {
        let path = "/tmp/lectern-books-\(getpid())-\(UInt32.random(in: .min ... .max))"
        let hashes = ["a", "b", "c"].map { String(repeating: $0, count: 64) }
        #expect(mkdir(path, 0o700) == 0)
        let folder = BookFolder(path: path)
        let names = ["\(hashes[0]).epub", "\(hashes[0]).jpg", "\(hashes[1]).jpg", "\(hashes[2]).txt"]
        for name in names {
            mkdir("\(path)/\(name.prefix(2))", 0o700)
            let file = open("\(path)/\(name.prefix(2))/\(name)", O_WRONLY | O_CREAT, 0o600)
            #expect(write(file, "x", 1) == 1)
            close(file)
        }
        var listed: [String] = []
        folder.forEachOldBook(oldEnough: -1) { listed.append($0) }
        #expect(listed.sorted() == [hashes[0], hashes[1]])
        folder.forEachOldBook { _ in Issue.record("a new file is listed") }
        for name in names {
            unlink("\(path)/\(name.prefix(2))/\(name)")
            rmdir("\(path)/\(name.prefix(2))")
        }
        #expect(rmdir(path) == 0)
    }
}
