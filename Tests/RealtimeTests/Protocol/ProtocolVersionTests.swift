import Testing

@testable import Realtime

@Suite("Realtime / protocol version")
struct ProtocolVersionTests {
    @Test("objects are meant without a version", arguments: [nil, "", "1.0.0"])
    func objects(vsn: String?) { #expect(ProtocolVersion(vsn: vsn) == .objects) }

    @Test("2.0.0 means arrays")
    func arrays() { #expect(ProtocolVersion(vsn: "2.0.0") == .arrays) }

    @Test("other versions are unknown", arguments: ["1", "2.0", "3.0.0", "1.0.0 "])
    func unknown(vsn: String) { #expect(ProtocolVersion(vsn: vsn) == nil) }
}
