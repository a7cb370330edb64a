import Testing

@testable import Links

@Suite("Links / wrapped URL")
struct WrappedURLTests {
    private func read(_ value: String) -> String? { WrappedURL.read(Array(value.utf8)) }

    @Test(
        "a URL is read as written, percent-encoded or in base64",
        arguments: [
            "https://example.org/a", "https%3A%2F%2Fexample.org%2Fa", "https%253A%252F%252Fexample.org%252Fa",
            "aHR0cHM6Ly9leGFtcGxlLm9yZy9h", "a1aHR0cHM6Ly9leGFtcGxlLm9yZy9h",
        ])
    func wrapped(value: String) { #expect(read(value) == "https://example.org/a") }

    @Test(
        "other values contain no URL",
        arguments: [
            "", "http://", "https:///", "javascript:alert(1)", "/relative/path", "aGVsbG8gd29ybGQsIGhlbGxv",
        ])
    func other(value: String) { #expect(read(value) == nil) }

    @Test("Proofpoint's encoding is decoded")
    func proofpoint() {
        let decoded = WrappedURL.fromProofpoint(Array("https-3A__example.org_a-3Fb".utf8))
        #expect(String(decoding: decoded, as: UTF8.self) == "https://example.org/a?b")
    }
}
