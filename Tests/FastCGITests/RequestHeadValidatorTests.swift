import Testing

@testable import FastCGI

@Suite("FastCGI / head check")
struct HeadCheckTests {
    private func verdict(_ bytes: [UInt8]) -> RequestHeadValidator.Verdict {
        bytes.withUnsafeBytes { RequestHeadValidator.verdict(on: $0) }
    }

    private static let pairs =
        Records.pair("REQUEST_METHOD", "POST") + Records.pair("LONG", [UInt8](repeating: 0x61, count: 300))
        + Records.pair("EMPTY", "") + Records.pair("", "")

    @Test("a head is complete with its last byte, and incomplete at every byte before, however records cut it",
        arguments: [1, 2, 3, 5, 7, 1_000])
    func everyPrefix(pieces: Int) {
        let head = Records.begin() + Records.stream(Records.parameters, Self.pairs, pieces: pieces)
        for count in 0..<head.count { #expect(verdict(Array(head[..<count])) == .incomplete, "at \(count)") }
        #expect(verdict(head) == .complete(length: head.count))
        #expect(verdict(head + Records.stream(Records.input, [1, 2, 3])) == .complete(length: head.count))
    }

    @Test("padding belongs to its record; at the end of the parameters, where libfcgi stumbles over it, it is refused")
    func padding() {
        let head = Records.begin() + Records.record(Records.parameters, Self.pairs, padding: 200)
        #expect(verdict(Array(head.dropLast())) == .incomplete)
        let whole = head + Records.record(Records.parameters, [])
        #expect(verdict(whole) == .complete(length: whole.count))
        #expect(verdict(head + Records.record(Records.parameters, [], padding: 8)) == .refused(.endPadding))
    }

    @Test("a wrong version is seen at its first byte")
    func version() {
        #expect(verdict([2]) == .refused(.version))
        #expect(verdict(Array("GET / HTTP/1.1\r\n".utf8)) == .refused(.version))
    }

    @Test("a request begins with nothing but FCGI_BEGIN_REQUEST",
        arguments: [Records.abort, Records.parameters, Records.input, Records.getValues, 0, 255])
    func firstRecord(type: UInt8) {
        #expect(verdict(Records.record(type, [0, 1, 0, 0, 0, 0, 0, 0])) == .refused(.recordType))
    }

    @Test("management records in the head are refused, because libfcgi overruns its stack with them")
    func management() {
        let values = (0..<4).flatMap { _ in Records.pair("FCGI_MAX_CONNS", "") }
        #expect(verdict(Records.begin() + Records.record(Records.getValues, values, id: 0)) == .refused(.recordType))
    }

    @Test("authorizers and filters are refused", arguments: [0, 2, 3] as [UInt8])
    func role(number: UInt8) { #expect(verdict(Records.begin(role: number)) == .refused(.role)) }

    @Test("a begin record of another length, of request 0, or followed by another request is refused")
    func begin() {
        #expect(verdict(Records.record(Records.begin, [0, 1, 0])) == .refused(.beginLength))
        #expect(verdict(Records.record(Records.begin, [0, 1, 0, 0, 0, 0, 0, 0], id: 0)) == .refused(.requestID))
        #expect(verdict(Records.begin() + Records.record(Records.parameters, [], id: 2)) == .refused(.requestID))
    }

    @Test("a length near 2 GB, at which libfcgi ends the process, is refused when it is announced")
    func giantLength() {
        let giant: [UInt8] = [0xff, 0xff, 0xff, 0xfe]
        #expect(verdict(Records.begin() + Records.record(Records.parameters, giant + giant)) == .refused(.parameterLength))
        #expect(verdict(Records.begin() + Records.record(Records.parameters, [1] + giant)) == .refused(.parameterLength))
    }

    @Test("parameters that end inside a pair are refused")
    func cutPair() {
        let head = Records.begin() + Records.stream(Records.parameters, Array(Self.pairs.prefix(19)))
        #expect(verdict(head) == .refused(.parameterLength))
    }

    @Test("a NUL in a parameter is refused, because it would hide what follows")
    func nul() {
        let head = Records.begin() + Records.stream(Records.parameters, Records.pair("HTTP_A", [0x61, 0, 0x62]))
        #expect(verdict(head) == .refused(.nul))
    }

    @Test("more parameters than the limit are refused as soon as that is certain")
    func tooLong() {
        let pairs = Records.pair("HTTP_A", [UInt8](repeating: 0x61, count: 60_000))
        let head = Records.begin() + Records.stream(Records.parameters, pairs + pairs + pairs)
        #expect(verdict(head) == .refused(.tooLong))
        #expect(verdict(Array(head[..<(RequestHeadValidator.limit - 1)])) == .refused(.tooLong))
    }

    @Test("no bytes at all make it trap")
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

/// Numbers that are the same in every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    /// Xorshift, Marsaglia 2003.
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
