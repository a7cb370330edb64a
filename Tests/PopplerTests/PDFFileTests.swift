import Poppler
import Testing

@Suite("Poppler / PDF files")
struct PDFFileTests {
    private func failure(_ bytes: [UInt8]) -> PDFFile.Failure? {
        do throws(PDFFile.Failure) {
            _ = try PDFFile(bytes)
            return nil
        } catch { return error }
    }

    @Test("a file has a title, an author and a number of pages")
    func information() throws {
        let file = try PDFFile(
            TestPDF(title: "Tea", author: "Ann", pages: [[.init(y: 700, text: "One")], [.init(y: 700, text: "Two")]])
                .bytes)
        #expect(file.title == "Tea" && file.author == "Ann" && file.pageCount == 2)
    }

    @Test("the lines of a page have positions")
    func lines() throws {
        let page: [TestPDF.Text] = [
            .init(y: 700, size: 24, text: "A heading"), .init(y: 650, text: "A line of text,"),
            .init(y: 636, text: "and one more."),
        ]
        let file = try PDFFile(TestPDF(pages: [page]).bytes)
        let lines = file.lines(ofPage: 0)
        #expect(lines.map(\.text) == ["A heading", "A line of text,", "and one more."])
        #expect(lines.map(\.pageHeight) == [792, 792, 792])
        #expect(lines[0].bottom - lines[0].top > 1.5 * (lines[1].bottom - lines[1].top))
        #expect(
            lines[0].top < lines[1].top && lines[1].top < lines[2].top && lines[1].left >= 71
                && lines[1].right > lines[1].left)
        #expect(file.lines(ofPage: 1).isEmpty && file.lines(ofPage: -1).isEmpty && file.lines(ofPage: .max).isEmpty)
        #expect(file.title == nil && file.author == nil)
    }

    @Test("a file with a password and a damaged file have different errors")
    func refused() {
        #expect(failure(TestPDF(pages: [[.init(y: 700, text: "One")]], isLocked: true).bytes) == .encrypted)
        #expect(failure([]) == .damaged)
        #expect(failure(Array("%PDF-1.4\nnothing".utf8)) == .damaged)
    }

    @Test("a file that is truncated or changed at any byte is read or rejected")
    func mutilated() {
        let whole = TestPDF(title: "Tea", pages: [[.init(y: 700, text: "One"), .init(y: 680, text: "Two")]]).bytes
        func read(_ bytes: [UInt8]) {
            guard let file = try? PDFFile(bytes) else { return }
            for page in 0..<min(file.pageCount, 3) { _ = file.lines(ofPage: page) }
        }
        for end in stride(from: 0, to: whole.count, by: 7) { read(Array(whole[..<end])) }
        for place in stride(from: 0, to: whole.count, by: 5) {
            var bytes = whole
            bytes[place] ^= 0x15
            read(bytes)
        }
    }
}
