import HTML
import Testing

@Suite("HTML / source set")
struct SourceSetTests {
    @Test("candidates are URLs with their sizes")
    func candidates() {
        let found = SourceSet.candidates(of: " a.png 1x, b,c.png 480w,d , data:image/png;base64,AA 2x, e calc(1px)")
        #expect(found.map(\.address) == ["a.png", "b,c.png", "d", "data:image/png;base64,AA", "e"])
        #expect(found.map(\.size) == ["1x", "480w", "", "2x", ""])
    }

    @Test(
        "every URL is replaced, and everything else stays",
        arguments: [
            ("a.png 1x, b.png 2x", "[a.png] 1x, [b.png] 2x"), ("a.png", "[a.png]"),
            ("a.png,\n b.png 3w", "[a.png],\n [b.png] 3w"), ("a,b.jpg 480w", "[a,b.jpg] 480w"),
            ("a.jpg 1.5x,b.jpg", "[a.jpg] 1.5x,[b.jpg]"),
            ("", ""), (" ", " "),
        ])
    func mapped(set: String, expected: String) {
        #expect(SourceSet.mapAddresses(in: set) { "[\($0)]" } == expected)
    }
}
