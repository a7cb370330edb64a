import Testing

@testable import Export

@Suite("Export / bookmarks of browsers")
struct NetscapeFormatTests {
    @Test("collections are folders, notes are descriptions, and nothing breaks the markup")
    func folders() {
        let links = [
            Links.link(#""title": "No <folder>", "tags": ["a", "\"b\""], "note": "1 < 2""#),
            Links.link(#""title": "Tea", "status": "read""#, path: #"["Kitchen", "Tea & cake"]"#),
            Links.link(#""title": "Soup""#, path: #"["Kitchen"]"#),
            Links.link(path: #"["Garden"]"#),
        ]
        let attributes = #"ADD_DATE="1767323045" LAST_MODIFIED="1767323046""#
        let url = "https://a.test/?a=1&amp;b=2"
        let body = Links.text(NetscapeFormat(), links).split(separator: "<DL><p>\n", maxSplits: 1)[1]
        #expect(
            body == """
                    <DT><A HREF="\(url)" \(attributes) TOREAD="1" TAGS="a,&quot;b&quot;">No &lt;folder&gt;</A>
                    <DD>1 &lt; 2
                    <DT><H3>Kitchen</H3>
                    <DL><p>
                        <DT><H3>Tea &amp; cake</H3>
                        <DL><p>
                            <DT><A HREF="\(url)" \(attributes) TOREAD="0">Tea</A>
                        </DL><p>
                        <DT><A HREF="\(url)" \(attributes) TOREAD="1">Soup</A>
                    </DL><p>
                    <DT><H3>Garden</H3>
                    <DL><p>
                        <DT><A HREF="\(url)" \(attributes) TOREAD="1">\(url)</A>
                    </DL><p>
                </DL><p>

                """)
    }
}
