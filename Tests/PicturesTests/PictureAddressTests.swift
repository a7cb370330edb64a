import Testing

@testable import Pictures

@Suite("Pictures / addresses")
struct PictureAddressTests {
    @Test("an address is parsed back to itself")
    func roundTrip() {
        let address = PictureAddress()
        #expect(PictureAddress(address.path) == address && address.path.hasPrefix(address.folder + "/"))
    }

    @Test("two addresses differ")
    func random() { #expect(PictureAddress() != PictureAddress()) }

    @Test(
        "other text is not an address",
        arguments: [
            "", "../etc/passwd", "ab/cd.webp", "ab/" + String(repeating: "a", count: 40) + ".webp",
            "aa/" + String(repeating: "A", count: 40) + ".webp", "aa/" + String(repeating: "a", count: 40) + ".html",
        ])
    func other(text: String) { #expect(PictureAddress(text) == nil) }
}
