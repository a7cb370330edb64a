import Testing

@testable import Readability

@Suite("Readability / data URLs")
struct DataAddressTests {
    @Test(
        "base64 data URLs are parsed",
        arguments: [
            ("data:image/gif;base64,AAAA", 4), (" DATA: image/gif ; BASE64 ,AA\nAA", 4),
            ("data:image/gif,AAAA", nil),
            ("data:;base64,AAAA", nil), ("data:image/gif;x=y;base64,AAAA", nil), ("a.gif", nil),
        ])
    func dataAddress(written: String, length: Int?) {
        #expect(DataAddress(written)?.length == length)
    }
}
