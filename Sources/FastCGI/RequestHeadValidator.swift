internal import CFastCGI

/// Looks at the first bytes of a connection, before libfcgi reads them, and says whether they begin a request
/// that libfcgi 2.4.2 can be trusted with.
///
/// Read in its source (fcgiapp.c): a name and a value that together announce more than 2 GB end the process by an
/// assertion, one that announces a little less is allocated at once, the number of parameters has no bound, and an
/// FCGI_GET_VALUES record that repeats a name writes past a 64-byte buffer on the stack. So only this passes:
/// one FCGI_BEGIN_REQUEST for a responder, then FCGI_PARAMS of the same request up to their empty end record,
/// within a bound in all, each name and value inside it. A web server sends nothing else.
struct RequestHeadValidator {
    enum Verdict: Equatable {
        /// Everything up to and including the end of the parameters, that is so many bytes, is there and sound.
        case complete(length: Int)
        /// Sound so far, more is needed.
        case incomplete
        case refused(Flaw)
    }

    enum Flaw: Equatable {
        case version, recordType, requestID, role, beginLength, parameterLength, nul, tooLong
        /// libfcgi forgets to skip the padding of the record that ends the parameters.
        case endPadding
    }

    /// Longest head, in bytes of records. nginx's own limits end at 32 KB of headers.
    static let limit = 128 << 10

    /// Judges the bytes that have arrived so far, from the first byte of the request on.
    static func verdict(on bytes: UnsafeRawBufferPointer) -> Verdict {
        var check = RequestHeadValidator(bytes: bytes)
        do throws(Stop) {
            try check.beginRequest()
            try check.parameters()
            return .complete(length: check.position)
        } catch {
            switch error {
            case .needsMore: return bytes.count < limit ? .incomplete : .refused(.tooLong)
            case .flaw(let flaw): return .refused(flaw)
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
                guard record.padding == 0 else { throw .flaw(.endPadding) }
                return
            }
            if let flaw = pairs.feed(record.content) { throw .flaw(flaw) }
        }
    }

    /// One whole record. Its header is judged as soon as it is there, so that nobody waits for the rest of nonsense.
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

/// Follows the name-value pairs through records that may cut them anywhere.
private struct NameValueValidator {
    private enum Place {
        case nameLength, valueLength
        /// Inside a name and its value, which need no telling apart here.
        case text
    }

    private var place = Place.nameLength
    /// Bytes of the current length or text still to come; 0 before the first byte of a length.
    private var missing = 0
    private var length = 0
    private var nameLength = 0

    var isBetweenPairs: Bool { place == .nameLength && missing == 0 }

    /// Returns what is wrong with the next piece, or nil.
    mutating func feed(_ piece: UnsafeRawBufferPointer) -> RequestHeadValidator.Flaw? {
        var rest = piece[...]
        while let byte = rest.first {
            if place == .text {
                let run = rest.prefix(missing)
                // libfcgi ends names and values with NUL: one inside would hide what follows from us.
                if run.contains(0) { return .nul }
                missing -= run.count
                rest = rest.dropFirst(run.count)
                if missing == 0 { place = .nameLength }
                continue
            }
            rest = rest.dropFirst()
            if !takeLengthByte(byte) { continue }
            if length > RequestHeadValidator.limit { return .parameterLength }
            nextPlace()
        }
        return nil
    }

    /// A length is one byte, or four when the first has its top bit set. True when it is complete.
    private mutating func takeLengthByte(_ byte: UInt8) -> Bool {
        if missing > 0 {
            length = length << 8 | Int(byte)
            missing -= 1
        } else {
            length = Int(byte & 0x7f)
            missing = byte & 0x80 == 0 ? 0 : 3
        }
        return missing == 0
    }

    private mutating func nextPlace() {
        if place == .nameLength {
            nameLength = length
            place = .valueLength
        } else {
            missing = nameLength + length
            place = missing == 0 ? .nameLength : .text
        }
    }
}
