import JSON
import Testing

@testable import Clippings

@Suite("Clippings / JSON of KOReader")
struct KOReaderJSONTests {
    @Test("an export is of one book or of several")
    func exports() throws {
        let book = #"{"title":"T","file":"/a/b.epub","entries":[{"text":"q","note":"n","color":"blue"},{"text":""},1]}"#
        let untitled = book.replacing(#""title":"T","#, with: "")
        let clippings = [Clipping(quote: "q", note: "n", color: "blue"), Clipping(quote: ""), Clipping(quote: "")]
        func books(_ text: String) throws -> [ClippedBook] {
            KOReaderJSON.books(in: try #require(JSON(parsing: text.utf8)))
        }
        #expect(try books(book) == [ClippedBook(title: "T", clippings: clippings)])
        #expect(
            try books(#"{"documents":[\#(book),\#(untitled)]}"#) == [
                ClippedBook(title: "T", clippings: clippings), ClippedBook(title: "b", clippings: clippings),
            ])
    }
}
