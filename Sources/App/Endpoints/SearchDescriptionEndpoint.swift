import HTTP

/// Answers `/opensearch.xml`: the description by which browsers offer to search Lectern (OpenSearch 1.1). A search opens
/// the list page with the query in `q`.
struct SearchDescriptionEndpoint {
    let publicURL: String

    func respond() -> Response {
        let base = Self.escaped(publicURL)
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
              <ShortName>Lectern</ShortName>
              <Description>Search your saved links</Description>
              <InputEncoding>UTF-8</InputEncoding>
              <OutputEncoding>UTF-8</OutputEncoding>
              <Image type="image/svg+xml">\(base)/icon.svg</Image>
              <Url type="text/html" template="\(base)/?q={searchTerms}"/>
              <Url type="application/opensearchdescription+xml" rel="self" template="\(base)/opensearch.xml"/>
            </OpenSearchDescription>

            """
        return Response(
            status: 200,
            headers: [
                "content-type": "application/opensearchdescription+xml",
                "cache-control": "public, max-age=3600",
            ], body: Array(text.utf8))
    }

    private static func escaped(_ url: String) -> String {
        url.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
