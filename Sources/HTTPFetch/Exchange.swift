/// One request and its answer as they arrive: what is kept, and when enough has come. Knows no socket and no libcurl, so
/// every cap is a test without a network.
struct Exchange {
    /// Why the transfer was ended from our side.
    enum Stop: Equatable {
        /// Nothing more is needed.
        case enough
        case tooLarge(String)
        /// Packed more than once.
        case overpacked
    }

    private enum Wish: Equatable {
        case undecided, keep
        /// Unwanted, but short: reading it keeps the connection alive for the next hop.
        case drain
        case refuse
        /// A refusal, whose page may say why: what of it comes at once.
        case glance
    }

    let limits: FetchLimits
    /// Kinds whose bodies are loaded.
    let wanted: Set<ContentKind>
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// What the body turned out to be; `unclear` until enough of it came.
    private(set) var kind = ContentKind.unclear
    private(set) var stop: Stop?
    private var wish = Wish.undecided
    /// Bytes of an unwanted body, unpacked.
    private var drained = 0

    /// Longest unwanted body that is read for the sake of its connection, in bytes.
    static let worthDraining = 16 * 1024

    /// Statuses of sites that want something of who asks, before or instead of showing the page.
    private static let refusals: Set<Int> = [401, 402, 403, 429, 451, 503]
    /// Bytes that are kept of a refusal's page, and of one that is too large.
    static let glancedBytes = 256 * 1024

    init(limits: FetchLimits, wanted: Set<ContentKind> = [.html]) {
        self.limits = limits
        self.wanted = wanted
    }

    /// Whether the answer's head is there and says that its body does not matter much.
    var needsNoBody: Bool { head.isComplete && (wish == .drain || wish == .refuse || wish == .glance) }

    /// The page of a refusal, as much of it as came.
    var refusalPage: [UInt8] { wish == .glance ? body : [] }

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
        case .drain:
            drained += bytes.count
            // Small on its way and large unpacked is not worth it.
            return drained <= Exchange.worthDraining ? true : end(.enough)
        case .refuse: return end(.enough)
        case .glance:
            body.append(contentsOf: bytes.prefix(Exchange.glancedBytes - body.count))
            return body.count < Exchange.glancedBytes ? true : end(.enough)
        }
        guard body.count + bytes.count <= limits.inflatedBytes else {
            return end(.tooLarge("The \(noun) is larger than \(limits.inflatedBytes / 1_000_000) MB."))
        }
        body.append(contentsOf: bytes)
        if wish == .undecided, body.count >= ContentKind.sniffedBytes { return settleKind() }
        return true
    }

    /// - Parameter bytes: of the body as sent, before unpacking.
    mutating func receive(downloaded bytes: Int) -> Bool {
        guard stop == nil else { return false }
        guard bytes <= limits.compressedBytes || needsNoBody else { return end(.tooLarge(tooLong)) }
        return true
    }

    /// All has come, without a failure: a short body still has to be judged.
    mutating func finish() {
        if wish == .undecided { _ = settleKind() }
    }

    // MARK: - Steps

    private mutating func decideOnBody() -> Bool {
        guard (200...299).contains(head.status) else {
            let isPage = ContentKind(header: head.contentType) == .html
            guard isPage, Exchange.refusals.contains(head.status), !isOverpacked else { return unwanted() }
            wish = .glance
            return true
        }
        kind = ContentKind(header: head.contentType)
        if kind != .unclear, !wanted.contains(kind) { return unwanted() }
        if isOverpacked { return end(.overpacked) }
        if let announced = head.contentLength, announced > limits.compressedBytes, kind != .unclear {
            return end(.tooLarge(tooLong))
        }
        return true
    }

    /// libcurl unpacks one layer into the next, and we hear of the last one only: gigabytes between them that come to nothing
    /// would hold up the loop, with all that is under way. Sites pack their pages once.
    private var isOverpacked: Bool { head.codings > 1 }

    private mutating func unwanted() -> Bool {
        if isOverpacked {
            wish = .refuse
            return end(.enough)
        }
        wish = (head.contentLength ?? .max) <= Exchange.worthDraining ? .drain : .refuse
        return true
    }

    private mutating func settleKind() -> Bool {
        kind = ContentKind.judged(body[...], declared: kind)
        wish = wanted.contains(kind) ? .keep : .refuse
        if wish == .refuse {
            body = []
            return end(.enough)
        }
        return true
    }

    private mutating func end(_ why: Stop) -> Bool {
        stop = why
        if why != .enough { body = Array(body.prefix(Exchange.glancedBytes)) }
        return false
    }

    private var tooLong: String { "The \(noun) is larger than \(limits.compressedBytes / 1_000_000) MB on the wire." }

    private var noun: String { wanted.contains(.html) ? "page" : "file" }
}
