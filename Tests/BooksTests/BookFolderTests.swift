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
}
