import Testing

@testable import Confinement

@Suite("Confinement / message")
struct MessageTests {
    @Test(
        "a written message is read again",
        arguments: [
            [], [nil], [[]], [[1, 2, 3], nil, [], [0xFF]], [Array(repeating: 7, count: 70_000)],
        ] as [[[UInt8]?]])
    func roundTrip(fields: [[UInt8]?]) throws {
        let bytes = try #require(Message(fields).bytes)
        #expect(Message.number(bytes.prefix(4)) == bytes.count - 4)
        #expect(Message(body: Array(bytes.dropFirst(4))) == Message(fields))
    }

    @Test(
        "invalid bytes are no message",
        arguments: [
            [1], [1, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF, 1], [1, 0, 0, 0, 0],
        ] as [[UInt8]])
    func malformed(body: [UInt8]) { #expect(Message(body: body) == nil) }

    @Test("the number of fields is limited, so empty fields cannot fill the reader's memory")
    func manyFields() throws {
        let many = [[UInt8]?](repeating: nil, count: Message.mostFields)
        #expect(try Message(body: Array(#require(Message(many).bytes).dropFirst(4))) == Message(many))
        #expect(Message(body: [UInt8](repeating: 0, count: 4 * (Message.mostFields + 1))) == nil)
        #expect(Message(many + [nil]).bytes == nil)
    }

    @Test("any bytes are read without a trap")
    func anyBytes() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let body = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...6, using: &random) }
            if let message = Message(body: body) { #expect(message.bytes.map { Array($0.dropFirst(4)) } == body) }
        }
    }
}
