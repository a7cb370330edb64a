import HTML
import Testing

@testable import Readability

@Suite("Readability / linked data")
struct LinkedDataTests {
    @Test(
        "only schema.org articles are read",
        arguments: [
            (#"{"@context":"https://schema.org/","@type":"BlogPosting","name":"T"}"#, true),
            (#"{"@context":{"@vocab":"http://schema.org"},"@type":"Article","name":"T"}"#, true),
            (#"{"@context":"https://schema.org","@graph":[{"@type":"Person"},{"@type":"Article","name":"T"}]}"#, true),
            (#"[{"@type":"Person"},{"@context":"https://schema.org","@type":"Article","name":"T"}]"#, true),
            (#"{"@context":"https://schema.org","@type":"Product","name":"T"}"#, false),
            (#"{"@context":"https://other.org","@type":"Article","name":"T"}"#, false),
            (#"{"@context":"https://schema.org","@type":"Article","name":"T""#, false),
            (#"{"@context":"https://schema.org","@type":"Article","name":"T","x":01}"#, false),
            (#"{"@context":"https://schema.org","@type":null,"@graph":[{"@type":"Article","name":"T"}]}"#, true),
            (#"{"@context":"https://schema.org","@graph":[3,"s",{"@type":""},{"@type":"Article","name":"T"}]}"#, true),
            (#"{"@context":"https://schema.org","@graph":[{"@type":["A"]},{"@type":"Article","name":"T"}]}"#, false),
            (#"[null,{"@context":"https://schema.org","@type":"Article","name":"T"}]"#, false),
        ])
    func linked(json: String, counts: Bool) throws {
        let document = try Document(parsing: "<script type='application/ld+json'>\n<![CDATA[\(json)]]></script>")
        #expect((LinkedData.of(document).title == "T") == counts)
    }

    @Test("of name and headline the one that matches the title is used")
    func nameOrHeadline() throws {
        let page = """
            <title>The long story of all the cats | Site</title><script type="application/ld+json">{"@context":
            "https://schema.org","@type":"Article","name":"Site","headline":"The long story of all the cats"}</script>
            """
        #expect(LinkedData.of(try Document(parsing: page)).title == "The long story of all the cats")
    }
}
