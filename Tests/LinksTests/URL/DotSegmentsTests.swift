import Testing

@testable import Links

@Suite("Links / dot segments")
struct DotSegmentsTests {
    @Test(
        "dot segments are removed, and empty segments stay",
        arguments: [
            ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../a", "/a"), ("/a/%2e%2E/b", "/b"), ("/a/.%2e", "/"),
            ("/a/..", "/"),
            ("/a/.", "/a/"), ("/a//b/", "/a//b/"), ("a/b", "/a/b"), ("", "/"), ("/a.b/..c/...", "/a.b/..c/..."),
        ])
    func removed(path: String, expected: String) {
        #expect(String(decoding: DotSegments.removed(from: Array(path.utf8)), as: UTF8.self) == expected)
    }
}
