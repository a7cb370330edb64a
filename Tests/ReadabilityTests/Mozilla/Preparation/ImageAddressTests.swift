import Testing

@testable import Readability

@Suite("Readability / image URLs")
struct ImageAddressTests {
    @Test("any white space separates an image from its size")
    func sourceSet() throws {
        #expect(ImageAddress.isSourceSet("a.jpg\u{A0}2x"))
        #expect(!ImageAddress.isSourceSet("a.jpg2x"))
        #expect(!ImageAddress.isSourceSet("a.jpg "))
    }
}
