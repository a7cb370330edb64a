import Testing

@testable import App

@Suite("App / documents")
struct DocumentEndpointTests {
    @Test(
        "the header has the name of the file for every program, and nothing that ends the header",
        arguments: [
            ("a b.pdf", "attachment; filename=\"a b.pdf\"; filename*=UTF-8''a%20b.pdf"),
            ("\"q\\.txt", "attachment; filename=\"_q_.txt\"; filename*=UTF-8''%22q%5C.txt"),
            ("ä\r\n.md", "attachment; filename=\"___.md\"; filename*=UTF-8''%C3%A4%0D%0A.md"),
        ])
    func disposition(name: String, header: String) { #expect(DocumentEndpoint.disposition(name) == header) }
}
