import HTTP
import Testing

@Suite("HTTP / headers")
struct HeadersTests {
    @Test("names are case-insensitive, and a field may occur twice")
    func names() {
        var headers: Headers = ["Prefer": "return=minimal"]
        headers.add("PREFER", "count=exact")
        #expect(headers["prefer"] == "return=minimal")
        #expect(headers.values("Prefer") == ["return=minimal", "count=exact"])
        headers.set("prefer", "tx=commit")
        #expect(headers.values("prefer") == ["tx=commit"])
    }
}
