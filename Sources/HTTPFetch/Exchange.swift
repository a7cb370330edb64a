/// One request and its answer as they arrive: what is kept, and when enough has come. Knows no socket and no libcurl, so
/// every cap is a test without a network.
struct Exchange {
    /// Why the transfer was ended from our side.
    enum Stop: Equatable {
        /// Nothing more is needed.
        case enough
        case tooLarge(String)
    }

    private enum Wish: Equatable {
        case undecided, keep
        /// Unwanted, but short: reading it keeps the connection alive for the next hop.
        case drain
        case refuse
    }

    let limits: FetchLimits
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// What the body turned out to be; `unclear` until enough of it came.
    private(set) var kind = ContentKind.unclear
    private(set) var stop: Stop?
    private var wish = Wish.undecided

    /// Longest unwanted body that is read for the sake of its connection, in bytes.
    static let worthDraining = 16 * 1024

    init(limits: FetchLimits) { self.limits = limits }

    /// Whether the answer's head is there and says that its body does not matter.
    var needsNoBody: Bool { head.isComplete && (wish == .drain || wish == .refuse) }

    // Each `receive` answers whether to go on.

    mutating func receive(headerLine line: UnsafeBufferPointer<UInt8>) -> Bool {
        let wasComplete = head.isComplete
        head.receive(line)
        guard head.bytes <= limits.headerBytes else {
            return end(.tooLarge("The site's headers are longer than \(limits.headerBytes / 1024) KB."))
        }
        if head.isComplete, !wasComplete { return decideOnBody() }
        return true
    }

    mutating func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch wish {
        case .undecided, .keep: break
        case .drain: return true
        case .refuse: return end(.enough)
        }
        guard body.count + bytes.count <= limits.inflatedBytes else {
            return end(.tooLarge("The page is larger than \(limits.inflatedBytes / 1_000_000) MB."))
        }
        body.append(contentsOf: bytes)
        if wish == .undecided, body.count >= ContentKind.sniffedBytes { return settleKind() }
        return true
    }

    /// - Parameter bytes: of the body as sent, before unpacking.
    mutating func receive(downloaded bytes: Int) -> Bool {
        guard stop == nil else { return false }
        guard bytes <= limits.compressedBytes || needsNoBody else { return end(.tooLarge(Exchange.tooLong(limits))) }
        return true
    }

    /// All has come, without a failure: a short body still has to be judged.
    mutating func finish() {
        if wish == .undecided { _ = settleKind() }
    }

    // MARK: - Steps

    private mutating func decideOnBody() -> Bool {
        guard (200...299).contains(head.status) else { return unwanted() }
        kind = ContentKind(header: head.contentType)
        if kind == .other { return unwanted() }
        if let announced = head.contentLength, announced > limits.compressedBytes, kind == .html {
            return end(.tooLarge(Exchange.tooLong(limits)))
        }
        return true
    }

    private mutating func unwanted() -> Bool {
        wish = (head.contentLength ?? .max) <= Exchange.worthDraining ? .drain : .refuse
        return true
    }

    private mutating func settleKind() -> Bool {
        kind = ContentKind.judged(body[...], declared: kind)
        wish = kind == .html ? .keep : .refuse
        if kind == .other {
            body = []
            return end(.enough)
        }
        return true
    }

    private mutating func end(_ why: Stop) -> Bool {
        stop = why
        if why != .enough { body = [] }
        return false
    }

    private static func tooLong(_ limits: FetchLimits) -> String {
        "The page is larger than \(limits.compressedBytes / 1_000_000) MB on the wire."
    }
}
