import Testing

@testable import Export

@Suite("Export / CSV")
struct CSVFormatTests {
    @Test("a link is a row, with fields in quotes where they need them")
    func row() {
        let link = Links.link(
            #""title": "Tea, \"strong\"", "tags": ["a", "b"], "note": "two\nlines", "starred": true, "collection_paths": [["Kitchen", "Tea"]]"#
        )
        #expect(
            Links.text(CSVFormat(), [link]) == """
                url,title,tags,created_at,list,status,starred,note,collections\r
                https://a.test/?a=1&b=2,"Tea, ""strong""\","a,b",2026-01-02T03:04:05.678Z,read,unread,true,"two
                lines",Kitchen/Tea\r

                """)
    }

    @Test("a separator in the name of a tag or a collection has a backslash before it")
    func separators() {
        let link = Links.link(
            #""tags": ["a, b", "c\\d", "e/f"], "collection_paths": [["AC/DC, live", "x"], ["y"]]"#)
        #expect(
            Links.text(CSVFormat(), [link]).contains(
                #","a\, b,c\\d,e/f",2026-01-02T03:04:05.678Z,read,unread,false,,"AC\/DC\, live/x,y""#))
    }

    @Test("a highlight is a row with the columns of Readwise")
    func highlights() {
        let link = Links.link(
            #""title": "Tea", "author": "A. Writer", "highlights": [{"quote": "Boil it.", "note": null, "start_offset": 7, "created_at": "2026-01-03T00:00:00.000Z"}]"#
        )
        #expect(
            Links.text(HighlightsCSVFormat(), [link]) == """
                Highlight,Title,Author,URL,Note,Location,Date\r
                Boil it.,Tea,A. Writer,https://a.test/?a=1&b=2,,7,2026-01-03T00:00:00.000Z\r

                """)
    }

    @Test("spaces at the ends of a field are kept", arguments: [(" a", "\" a\""), ("a b", "a b"), ("", "")])
    func spaces(text: String, field: String) {
        #expect(CSV.field(text) == field)
    }
}
