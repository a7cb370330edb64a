internal import CFastCGI

/// Checks the records of a request up to the end of its parameters, before libfcgi reads them, and accepts only requests
/// that libfcgi 2.4.2 handles safely.
///
/// Its source (fcgiapp.c) shows the problems. A name and a value that together announce more than 2 GB end the process
/// by an assertion. A pair that announces slightly less is allocated at once. The number of parameters has no bound. An
/// FCGI_GET_VALUES record that repeats a name writes past a 64-byte buffer on the stack. Only this passes: one
/// FCGI_BEGIN_REQUEST for a responder, then FCGI_PARAMS of the same request up to their empty end record, all within a
/// total bound that also contains each name and value. A web server sends nothing else.
struct RecordValidator {
    enum Verdict: Equatable {
        /// The head is valid and complete up to the end of its parameters. Its length is in bytes.
        case complete(length: Int)
        /// The head is valid so far, but more bytes are needed.
        case incomplete
        case invalid(Flaw)
    }

    enum Flaw: Equatable {
        case version, recordType, requestID, role, beginLength, parameterLength, nul, tooLong
        /// libfcgi does not skip the padding of the record that begins a request and of the one that ends the
        /// parameters.
        case padding
    }

    /// The longest head, in bytes of records. nginx's own limits end at 32 KB of headers.
    static let limit = 128 << 10

    /// Checks the bytes that have arrived so far, starting with the first byte of the request.
    static func verdict(on bytes: UnsafeRawBufferPointer) -> Verdict {
        var check = RecordValidator(bytes: bytes)
        do throws(Stop) {
            try check.beginRequest()
            try check.parameters()
            return .complete(length: check.position)
        } catch {
            switch error {
            case .needsMore: return bytes.count < limit ? .incomplete : .invalid(.tooLong)
            case .flaw(let flaw): return .invalid(flaw)
            }
        }
    }

    private enum Stop: Error {
        case needsMore
        case flaw(Flaw)
    }

    private struct Record {
        var type: Int32
        var requestID: Int
        var padding: Int
        var content: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var requestID = 0
    private var pairs = NameValueValidator()

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func beginRequest() throws(Stop) {
        let record = try nextRecord { type, id, length throws(Stop) in
            guard type == FCGI_BEGIN_REQUEST else { throw .flaw(.recordType) }
            guard id != 0 else { throw .flaw(.requestID) }
            guard length == MemoryLayout<FCGI_BeginRequestBody>.size else { throw .flaw(.beginLength) }
        }
        guard record.padding == 0 else { throw .flaw(.padding) }
        guard Int32(record.content[0]) << 8 | Int32(record.content[1]) == FCGI_RESPONDER else { throw .flaw(.role) }
        requestID = record.requestID
    }

    private mutating func parameters() throws(Stop) {
        let expected = requestID
        while true {
            let record = try nextRecord { type, id, _ throws(Stop) in
                guard type == FCGI_PARAMS else { throw .flaw(.recordType) }
                guard id == expected else { throw .flaw(.requestID) }
            }
            if record.content.isEmpty {
                guard pairs.isBetweenPairs else { throw .flaw(.parameterLength) }
                guard record.padding == 0 else { throw .flaw(.padding) }
                return
            }
            if let flaw = pairs.feed(record.content) { throw .flaw(flaw) }
        }
    }

    /// Returns one complete record. The header is checked as soon as it has arrived, so that nothing waits for the rest
    /// of an invalid record.
    private mutating func nextRecord(
        accepting isExpected: (_ type: Int32, _ id: Int, _ length: Int) throws(Stop) -> Void
    ) throws(Stop) -> Record {
        let headerLength = Int(FCGI_HEADER_LEN)
        if position < bytes.count, Int32(bytes[position]) != FCGI_VERSION_1 { throw .flaw(.version) }
        guard bytes.count - position >= headerLength else { throw .needsMore }
        let header = UnsafeRawBufferPointer(rebasing: bytes[position..<position + headerLength])
        let id = Int(header[2]) << 8 | Int(header[3])
        let length = Int(header[4]) << 8 | Int(header[5])
        let padding = Int(header[6])
        try isExpected(Int32(header[1]), id, length)
        let content = position + headerLength
        let end = content + length + padding
        guard end <= Self.limit else { throw .flaw(.tooLong) }
        guard end <= bytes.count else { throw .needsMore }
        position = end
        return Record(
            type: Int32(header[1]), requestID: id, padding: padding,
            content: UnsafeRawBufferPointer(rebasing: bytes[content..<content + length]))
    }
}
