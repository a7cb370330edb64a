import Testing

@testable import Clippings

@Suite("Clippings / HTML of KOReader")
struct KOReaderHTMLTests {
    @Test("passages of several books, with chapters and notes")
    func several() throws {
        func passage(_ text: String, _ note: String = "") -> String {
            """
            <div style="padding-top:0.5em"><div style="font-size:10pt"><div style="width:0.2em"></div>
            <span>01/01/24</span><span style="float:right"><b>First</b>: 5</span></div>
            <div style="font-size:12pt"><span>\(text)</span></div>\(note)</div>
            """
        }
        let note = #"<div style="font-size:11pt"><span style="color:#888888">Mine<br/>too</span></div>"#
        let page = """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8"/><title>All Books</title></head><body>
            <div style="width:90%">
            <h2 style="font-size:18pt">A &amp; B</h2><h5>Ann</h5>
            <div style="font-size:14pt"><span>First</span></div>
            \(passage("The river<br/>begins", note))\(passage("a &lt; b"))
            <h2>Two</h2><h5></h5>\(passage("c"))
            </div></body></html>
            """
        #expect(
            try KOReaderHTML.books(in: page) == [
                ClippedBook(
                    title: "A & B",
                    clippings: [Clipping(quote: "The river\nbegins", note: "Mine\ntoo"), Clipping(quote: "a < b")]),
                ClippedBook(title: "Two", clippings: [Clipping(quote: "c")]),
            ])
    }
}
