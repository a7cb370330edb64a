import Testing

@testable import Clippings

@Suite("Clippings / Markdown of KOReader")
struct KOReaderMarkdownTests {
    private func books(_ text: String) -> [ClippedBook] {
        KOReaderMarkdown.books(in: text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
    }

    @Test("passages of several books, with chapters, styles and notes")
    func several() {
        let place = "### Page 5 @ 01 January 2024 10:00:00 AM"
        let books = books(
            """
            # One: # 1
            ##### Ann, Ben

            ## First chapter
            \(place)
            *The river
            begins*
            \(place)
            **_bold_**

            ---
            My note
            with lines

            [View in book](<file:///mnt/a.epub?pos=x>)
            ## Second chapter
            \(place)
            # no title
            # Two
            ##### N/A

            \(place)
            <u>a * b</u>


            _Generated at: 2024-01-01 10:00:00_
            """)
        #expect(
            books == [
                ClippedBook(
                    title: "One: # 1",
                    clippings: [
                        Clipping(quote: "The river\nbegins"), Clipping(quote: "bold", note: "My note\nwith lines"),
                        Clipping(quote: "# no title"),
                    ]), ClippedBook(title: "Two", clippings: [Clipping(quote: "a * b")]),
            ])
    }

    @Test(
        "only the marks of a style are removed",
        arguments: [("*", "*"), ("a *b*", "a *b*"), ("==a==", "a"), ("**", "**")])
    func marks(text: String, quote: String) {
        let read = books("# T\n##### A\n\n### Page 1 @ x\n\(text)")
        #expect(read == [ClippedBook(title: "T", clippings: [Clipping(quote: quote)])])
    }
}
