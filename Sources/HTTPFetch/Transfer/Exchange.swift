/// The response to one request as it arrives. Decides what to keep and when enough has arrived. It uses neither sockets
/// nor libcurl, so every limit can be tested without a network.
struct Exchange {
    /// The reason this side ended the transfer.
    enum EndReason: Equatable {
        /// No more data is needed.
        case enough
        case tooLarge(String)
        /// The body has more than one content or transfer coding.
        case repeatedlyEncoded
    }

    /// What to do with the body.
    private enum BodyUse: Equatable {
        case undecided, load
        /// An unwanted but short body: reading it keeps the connection usable for the next hop.
        case drain
        case discard
        /// The page of a response that denies access. Its first part may contain the reason.
        case sample
    }

    let limits: FetchLimits
    /// Kinds whose bodies are loaded.
    let wanted: Set<ContentKind>
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// The kind of the body, or `unclear` until enough of it has arrived.
    private(set) var kind = ContentKind.unclear
    private(set) var endReason: EndReason?
    private var bodyUse = BodyUse.undecided
    /// Bytes of an unwanted body after decoding.
    private var drained = 0

    /// The longest unwanted body that is read to keep its connection usable, in bytes.
    static let worthDraining = 16 * 1024

    /// Statuses with which sites deny access or demand something before they show the page.
    private static let deniedStatuses: Set<Int> = [401, 402, 403, 429, 451, 503]
    /// The number of bytes that are kept of a page that denies access and of a page that is too large.
    static let sampledBytes = 256 * 1024

    init(limits: FetchLimits, wanted: Set<ContentKind> = [.html]) {
        self.limits = limits
        self.wanted = wanted
    }

    /// Whether the head is complete and the body is not needed.
    var needsNoBody: Bool { head.isComplete && (bodyUse == .drain || bodyUse == .discard || bodyUse == .sample) }

    /// The part that has arrived of a page that denies access.
    var errorPage: [UInt8] { bodyUse == .sample ? body : [] }

    // Each `receive` returns whether to continue.

    mutating func receive(headerLine line: UnsafeBufferPointer<UInt8>) -> Bool {
        let wasComplete = head.isComplete
        head.receive(line)
        guard head.bytes <= limits.headerBytes else {
            return end(.tooLarge("The site's response headers are larger than \(limits.headerBytes / 1024) KB."))
        }
        if head.isComplete, !wasComplete { return decideOnBody() }
        return true
    }

    mutating func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch bodyUse {
        case .undecided, .load: break
        case .drain:
            drained += bytes.count
            // A body that is small as sent but large when decoded is not worth reading.
            return drained <= Exchange.worthDraining ? true : end(.enough)
        case .discard: return end(.enough)
        case .sample:
            body.append(contentsOf: bytes.prefix(Exchange.sampledBytes - body.count))
            return body.count < Exchange.sampledBytes ? true : end(.enough)
        }
        guard body.count + bytes.count <= limits.inflatedBytes else {
            return end(.tooLarge("The \(noun) is larger than \(limits.inflatedBytes / 1_000_000) MB."))
        }
        body.append(contentsOf: bytes)
        if bodyUse == .undecided, body.count >= ContentKind.sniffedBytes { return determineKind() }
        return true
    }

    /// - Parameter bytes: the length of the body so far as sent, before decoding.
    mutating func receive(downloaded bytes: Int) -> Bool {
        guard endReason == nil else { return false }
        guard bytes <= limits.compressedBytes || needsNoBody else { return end(.tooLarge(tooLong)) }
        return true
    }

    /// Called when the transfer ended without a failure. Determines the kind of a short body.
    mutating func finish() {
        if bodyUse == .undecided { _ = determineKind() }
    }

    // MARK: - Steps

    private mutating func decideOnBody() -> Bool {
        guard (200...299).contains(head.status) else {
            let isPage = ContentKind(header: head.contentType) == .html
            guard isPage, Exchange.deniedStatuses.contains(head.status), !isRepeatedlyEncoded else { return unwanted() }
            bodyUse = .sample
            return true
        }
        kind = ContentKind(header: head.contentType)
        if kind != .unclear, !wanted.contains(kind) { return unwanted() }
        if isRepeatedlyEncoded { return end(.repeatedlyEncoded) }
        if let announced = head.contentLength, announced > limits.compressedBytes, kind != .unclear {
            return end(.tooLarge(tooLong))
        }
        return true
    }

    /// libcurl decodes one layer into the next and reports only the last one. Gigabytes between the layers that decode
    /// to nothing would block the loop and all its transfers. Sites encode their pages once.
    private var isRepeatedlyEncoded: Bool { head.codings > 1 }

    private mutating func unwanted() -> Bool {
        if isRepeatedlyEncoded {
            bodyUse = .discard
            return end(.enough)
        }
        bodyUse = (head.contentLength ?? .max) <= Exchange.worthDraining ? .drain : .discard
        return true
    }

    private mutating func determineKind() -> Bool {
        kind = ContentKind.sniffed(body[...], declared: kind)
        bodyUse = wanted.contains(kind) ? .load : .discard
        if bodyUse == .discard {
            body = []
            return end(.enough)
        }
        return true
    }

    private mutating func end(_ reason: EndReason) -> Bool {
        endReason = reason
        if reason != .enough { body = Array(body.prefix(Exchange.sampledBytes)) }
        return false
    }

    private var tooLong: String { "The \(noun) is larger than \(limits.compressedBytes / 1_000_000) MB as sent." }

    private var noun: String { wanted.contains(.html) ? "page" : "file" }
}
