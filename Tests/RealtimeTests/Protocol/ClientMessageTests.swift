import JSON
import Testing

@testable import Realtime

@Suite("Realtime / messages of clients")
struct ClientMessageTests {
    @Test("both framings give the same message")
    func framings() {
        let objects = #"{"topic":"realtime:a","event":"phx_join","payload":{"x":1},"ref":"2","join_ref":"1"}"#
        let arrays = #"["1","2","realtime:a","phx_join",{"x":1}]"#
        let message = ClientMessage(
            joinRef: .string("1"), ref: .string("2"), topic: "realtime:a", event: "phx_join",
            payload: .object([.init("x", .number(1))]))
        #expect(ClientMessage(Array(objects.utf8), .objects) == message)
        #expect(ClientMessage(Array(arrays.utf8), .arrays) == message)
    }

    @Test("references may be absent, null, texts or numbers")
    func references() {
        let absent = ClientMessage(Array(#"{"topic":"phoenix","event":"heartbeat"}"#.utf8), .objects)
        #expect(absent == ClientMessage(topic: "phoenix", event: "heartbeat"))
        let numbers = ClientMessage(Array(#"[1,2,"phoenix","heartbeat",{}]"#.utf8), .arrays)
        #expect(numbers?.ref == .number(2))
        #expect(ClientMessage(Array(#"[null,null,"phoenix","heartbeat",{}]"#.utf8), .arrays)?.ref == .null)
    }

    @Test(
        "rubbish is not a message",
        arguments: [
            "", "null", "[]", "{}", "x", #"{"topic":"a"}"#, #"{"topic":1,"event":"b"}"#, #"["1","2","a","b"]"#,
            #"[{},"2","a","b",{}]"#, #"["1",true,"a","b",{}]"#, #"{"topic":"a","event":"b","ref":[]}"#,
            #"{"topic":"a","event":"b","ref":"\#(String(repeating: "1", count: 65))"}"#,
            #"["\#(String(repeating: "1", count: 65))","2","a","b",{}]"#, String(repeating: "[", count: 60_000),
        ])
    func rubbish(text: String) {
        #expect(ClientMessage(Array(text.utf8), .objects) == nil)
        #expect(ClientMessage(Array(text.utf8), .arrays) == nil)
    }

    @Test("a binary broadcast of supabase-js is recognised")
    func binary() {
        let bytes: [UInt8] = [3, 1, 2, 10, 4, 0, 1] + Array("142realtime:apingpayload".utf8)
        #expect(
            ClientMessage(binaryBroadcast: bytes)
                == ClientMessage(joinRef: .string("1"), ref: .string("42"), topic: "realtime:a", event: "broadcast"))
    }

    @Test(
        "other bytes are not a broadcast",
        arguments: [[], [3], [3, 1, 2, 10, 4, 0, 1], [0, 0, 0, 0, 0, 0, 0], [3, 1, 0, 0, 0, 0, 1, 0xFF]] as [[UInt8]])
    func otherBytes(bytes: [UInt8]) { #expect(ClientMessage(binaryBroadcast: bytes) == nil) }
}
