import Testing

@testable import FastCGI

@Suite("FastCGI / request id")
struct RequestIDTests {
    @Test(
        "up to 64 letters, digits, hyphens and underscores are valid",
        arguments: ["a", "A-b_9", String(repeating: "f", count: 64)])
    func valid(id: String) { #expect(RequestID.isValid(id)) }

    @Test("anything else is invalid", arguments: ["", "a b", "ä", "a\n", "a'b", String(repeating: "f", count: 65)])
    func invalid(id: String) { #expect(!RequestID.isValid(id)) }

    @Test("a new id has 32 hex digits and differs from the last one")
    func make() {
        let ids = (0..<100).map { _ in RequestID.make() }
        #expect(Set(ids).count == 100)
        #expect(ids.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) && RequestID.isValid($0) })
    }
}
