import Testing

@testable import FastCGI

@Suite("FastCGI / record validator")
struct RecordValidatorTests {
    private func verdict(_ bytes: [UInt8]) -> RecordValidator.Verdict {
        bytes.withUnsafeBytes { RecordValidator.verdict(on: $0) }
    }

    private static let pairs =
        Records.pair("REQUEST_METHOD", "POST") + Records.pair("LONG", [UInt8](repeating: 0x61, count: 300))
        + Records.pair("EMPTY", "") + Records.pair("", "")

    @Test(
        "a head is complete with its last byte and incomplete before it, however records split it",
        arguments: [1, 2, 3, 5, 7, 1_000])
    func everyPrefix(pieces: Int) {
        let head = Records.begin() + Records.stream(Records.parameters, Self.pairs, pieces: pieces)
        for count in 0..<head.count { #expect(verdict(Array(head[..<count])) == .incomplete, "at \(count)") }
        #expect(verdict(head) == .complete(length: head.count))
        #expect(verdict(head + Records.stream(Records.input, [1, 2, 3])) == .complete(length: head.count))
    }

    @Test("padding belongs to its record; where libfcgi does not skip it, around the parameters, it is rejected")
    func padding() {
        let head = Records.begin() + Records.record(Records.parameters, Self.pairs, padding: 200)
        #expect(verdict(Array(head.dropLast())) == .incomplete)
        let whole = head + Records.record(Records.parameters, [])
        #expect(verdict(whole) == .complete(length: whole.count))
        #expect(verdict(head + Records.record(Records.parameters, [], padding: 8)) == .invalid(.padding))
        let begin = Records.record(Records.begin, [0, 1, 0, 0, 0, 0, 0, 0], padding: 8)
        #expect(verdict(begin + Records.record(Records.parameters, [])) == .invalid(.padding))
    }

    @Test("a wrong version is detected at its first byte")
    func version() {
        #expect(verdict([2]) == .invalid(.version))
        #expect(verdict(Array("GET / HTTP/1.1\r\n".utf8)) == .invalid(.version))
    }

    @Test(
        "only FCGI_BEGIN_REQUEST begins a request",
        arguments: [Records.abort, Records.parameters, Records.input, Records.getValues, 0, 255])
    func firstRecord(type: UInt8) {
        #expect(verdict(Records.record(type, [0, 1, 0, 0, 0, 0, 0, 0])) == .invalid(.recordType))
    }

    @Test("management records in the head are rejected, because they make libfcgi overrun its stack")
    func management() {
        let values = (0..<4).flatMap { _ in Records.pair("FCGI_MAX_CONNS", "") }
        #expect(verdict(Records.begin() + Records.record(Records.getValues, values, id: 0)) == .invalid(.recordType))
    }

    @Test("authorizers and filters are rejected", arguments: [0, 2, 3] as [UInt8])
    func role(number: UInt8) { #expect(verdict(Records.begin(role: number)) == .invalid(.role)) }

    @Test("a begin record of another length, of request 0, or followed by another request is rejected")
    func begin() {
        #expect(verdict(Records.record(Records.begin, [0, 1, 0])) == .invalid(.beginLength))
        #expect(verdict(Records.record(Records.begin, [0, 1, 0, 0, 0, 0, 0, 0], id: 0)) == .invalid(.requestID))
        #expect(verdict(Records.begin() + Records.record(Records.parameters, [], id: 2)) == .invalid(.requestID))
    }

    @Test("an announced length near 2 GB, which makes libfcgi end the process, is rejected")
    func giantLength() {
        let giant: [UInt8] = [0xff, 0xff, 0xff, 0xfe]
        for lengths in [giant + giant, [1] + giant] {
            let head = Records.begin() + Records.record(Records.parameters, lengths)
            #expect(verdict(head) == .invalid(.parameterLength))
        }
    }

    @Test("parameters that end inside a pair are rejected")
    func cutPair() {
        let head = Records.begin() + Records.stream(Records.parameters, Array(Self.pairs.prefix(19)))
        #expect(verdict(head) == .invalid(.parameterLength))
    }

    @Test("a NUL in a parameter is rejected, because it would hide the rest of it")
    func nul() {
        let head = Records.begin() + Records.stream(Records.parameters, Records.pair("HTTP_A", [0x61, 0, 0x62]))
        #expect(verdict(head) == .invalid(.nul))
    }

    @Test("parameters over the limit are rejected as soon as their length is known")
    func tooLong() {
        let pairs = Records.pair("HTTP_A", [UInt8](repeating: 0x61, count: 60_000))
        let head = Records.begin() + Records.stream(Records.parameters, pairs + pairs + pairs)
        #expect(verdict(head) == .invalid(.tooLong))
        #expect(verdict(Array(head[..<(RecordValidator.limit - 1)])) == .invalid(.tooLong))
    }

    @Test("no input makes it trap")
    func noise() {
        var generator = Seeded(state: 2)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...60, using: &generator)
            let tail = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let head = Records.begin() + [1, 4, 0, 1, 0] + tail
            _ = verdict(head)
            _ = verdict(tail)
        }
    }
}
