import HTML
import Testing

@Suite("HTML / source sets")
struct SourceSetTests {
    @Test(
        "source sets are parsed with commas inside URLs",
        arguments: [
            ("a.jpg 1x, b.jpg 2x", "[a.jpg] 1x, [b.jpg] 2x"), ("a.jpg", "[a.jpg]"), ("a,b.jpg 480w", "[a,b.jpg] 480w"),
            ("a.jpg, b.jpg", "[a.jpg], [b.jpg]"), ("a.jpg 1.5x,b.jpg", "[a.jpg] 1.5x,[b.jpg]"), ("", ""),
        ])
    func sourceSet(written: String, expected: String) {
        #expect(SourceSet.mapAddresses(in: written) { "[\($0)]" } == expected)
    }
}
