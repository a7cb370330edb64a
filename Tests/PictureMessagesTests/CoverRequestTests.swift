import Testing

@testable import PictureMessages

@Suite("PictureMessages / covers")
struct CoverRequestTests {
    @Test("a request is parsed back to itself, whatever its texts hold")
    func roundTrips() {
        let request = CoverRequest(title: "Tïtle", site: "", picture: [0, 0, 1])
        #expect(CoverRequest(request.bytes) == request)
        let strange = CoverRequest(title: "a\u{0}b", site: "c", picture: [])
        #expect(CoverRequest(strange.bytes) == CoverRequest(title: "ab", site: "c", picture: []))
    }

    @Test("other bytes are refused", arguments: [[], [0], [97, 98], [0xFF, 0, 97, 0]])
    func refused(bytes: [UInt8]) { #expect(CoverRequest(bytes) == nil) }
}
