import Testing

@testable import App

@Suite("App / OpenSearch")
struct SearchDescriptionEndpointTests {
    private func text(_ publicURL: String) -> String {
        String(decoding: SearchDescriptionEndpoint(publicURL: publicURL).respond().body, as: UTF8.self)
    }

    @Test("a search opens the list page of the service with the query")
    func template() {
        #expect(
            text("https://read.example.org/lectern").contains(
                #"<Url type="text/html" template="https://read.example.org/lectern/?q={searchTerms}"/>"#))
    }

    @Test("the URL of the service is escaped")
    func escaped() { #expect(text(#"https://x/?a&b<"c"#).contains(#"template="https://x/?a&amp;b&lt;&quot;c/?q="#)) }
}
