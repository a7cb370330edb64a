import JSON
import Testing

@testable import Realtime

@Suite("Realtime / messages to clients")
struct MessageEnvelopeTests {
    private func message(_ version: ProtocolVersion, joinRef: JSON = .null, ref: JSON = .null) -> String {
        let envelope = MessageEnvelope(version, topic: "realtime:\"a\"", event: .reply, joinRef: joinRef, ref: ref)
        return String(decoding: envelope.message([Array("{".utf8), Array("}".utf8)]), as: UTF8.self)
    }

    @Test("an object has a ref even if there is none")
    func objects() {
        #expect(
            message(.objects)
                == #"{"topic":"realtime:\"a\"","event":"phx_reply","ref":null,"join_ref":null,"payload":{}}"#)
    }

    @Test("an array begins with the references")
    func arrays() {
        #expect(
            message(.arrays, joinRef: .string("1"), ref: .number(7))
                == #"["1",7,"realtime:\"a\"","phx_reply",{}]"#)
    }
}
