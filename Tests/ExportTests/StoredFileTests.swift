import Testing
import ZIP

@testable import Export

@Suite("Export / stored files")
struct StoredFileTests {
    private static let folders = StoredFolders(pictures: "/home/pictures", documents: "/home/documents")

    private func file(_ kind: StoredFile.Kind, _ type: String, _ name: String? = nil) -> StoredFile {
        StoredFile(kind: kind, hash: "abcd", address: "ab/abcd-1", type: type, bytes: 7, name: name)
    }

    @Test(
        "an entry is named after the hash and the type",
        arguments: [
            (StoredFile.Kind.pictures, "image/webp", "pictures/abcd.webp"),
            (.documents, "application/pdf", "documents/abcd.pdf"), (.documents, "text/markdown", "documents/abcd.md"),
            (.documents, "application/x-unknown", "documents/abcd"),
        ])
    func entry(kind: StoredFile.Kind, type: String, entry: String) { #expect(file(kind, type).entry == entry) }

    @Test("a file is in the folder of its kind")
    func path() {
        #expect(file(.pictures, "image/webp").path(in: Self.folders) == "/home/pictures/ab/abcd-1")
        #expect(file(.documents, "text/html").path(in: Self.folders) == "/home/documents/ab/abcd-1")
    }

    @Test("only texts are compressed")
    func method() {
        #expect(file(.documents, "text/html").method == .deflated)
        #expect(file(.documents, "application/pdf").method == .stored)
    }

    @Test("the list tells the name of a document, and what is missing")
    func json() {
        #expect(
            file(.documents, "text/plain", "My \"notes\".txt").json(isMissing: false)
                == #"{"path":"documents/abcd.txt","sha256":"abcd","bytes":7,"type":"text/plain","#
                + #""name":"My \"notes\".txt"}"#)
        #expect(file(.pictures, "image/webp").json(isMissing: true).hasSuffix(#""missing":true}"#))
    }
}
