import Dates
import Links

/// An entry while it is read: texts as they are written, still without the checks that all formats share.
struct EntryDraft {
    var id: String?
    /// Addresses, the best first.
    var urls: [String] = []
    /// Plain text.
    var title: String?
    var author: String?
    var language: String?
    /// Dates, the best first.
    var dates: [String] = []
    var categories: [String] = []
    /// HTML.
    var summary: String?
    /// HTML.
    var content: String?
    var enclosure: FeedDocument.Enclosure?
    /// Seconds of the enclosure, where they are elsewhere.
    var duration: Int?
    /// What relative addresses refer to.
    var base = ""

    private static let (maxURL, maxID) = (8_192, 4_096)
    /// The number of addresses, of dates and of categories that are kept.
    private static let maxValues = 30
    static let maxLanguage = 64

    /// - Returns: nil where the entry has no address.
    func entry(now: Int) -> FeedDocument.Entry? {
        let enclosure = checkedEnclosure
        guard let url = urls.lazy.compactMap({ address($0) }).first ?? enclosure?.url else { return nil }
        var entry = FeedDocument.Entry(id: url, url: url)
        if let id = id.flatMap({ FeedText.line($0, limit: Self.maxID) }) { entry.id = id }
        entry.title = title.flatMap { FeedText.line($0, limit: 1_000) }
        entry.author = author.flatMap { FeedText.line($0, limit: 500) }
        entry.language = language.flatMap { FeedText.line($0, limit: Self.maxLanguage) }
        entry.published = dates.lazy.compactMap { Dates.read($0, now: now)?.seconds }.first { $0 > 0 }
        entry.categories = categories.compactMap { FeedText.line($0, limit: 200) }
        let isWritten = content?.utf8.contains { $0 > 0x20 } ?? false
        entry.content = (isWritten ? content : summary).map(Self.withoutNUL)
        if isWritten { entry.summary = summary.flatMap { FeedText.of(html: $0, limit: 1_000) } }
        entry.enclosure = enclosure
        return entry
    }

    /// Adds an address, a date or a category, as the best one or as the last one. A feed may have a million.
    mutating func add(_ value: String, to values: WritableKeyPath<Self, [String]>, isBest: Bool = false) {
        if isBest {
            if self[keyPath: values].count == Self.maxValues { self[keyPath: values].removeLast() }
            self[keyPath: values].insert(value, at: 0)
        } else if self[keyPath: values].count < Self.maxValues {
            self[keyPath: values].append(value)
        }
    }

    private var checkedEnclosure: FeedDocument.Enclosure? {
        guard let enclosure, let url = address(enclosure.url) else { return nil }
        let type = enclosure.type.flatMap { FeedText.line($0, limit: 100) }?.lowercased()
        return FeedDocument.Enclosure(
            url: url, type: type,
            duration: (enclosure.duration ?? duration).flatMap { (1...604_800).contains($0) ? $0 : nil })
    }

    private func address(_ text: String) -> String? { Self.address(text, base: base) }

    /// An http(s) address; nil where the text is not one.
    static func address(_ text: String, base: String) -> String? {
        guard !AbsoluteURL.trimmed(text).isEmpty, let url = AbsoluteURL.resolve(text, against: base),
            SplitURL(url).isWeb, url.utf8.count <= maxURL, !url.utf8.contains(0)
        else { return nil }
        return url
    }

    /// `1:02:03`, `2:03` or seconds, as iTunes has it.
    static func duration(_ text: String) -> Int? {
        let parts = text.split(separator: ":").map { Double($0.filter { !$0.isWhitespace }) }
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for part in parts {
            guard let part, part.isFinite, (0...1_000_000).contains(part) else { return nil }
            seconds = seconds * 60 + part
        }
        return seconds <= 604_800 ? Int(seconds) : nil
    }

    /// PostgreSQL stores no NUL.
    private static func withoutNUL(_ text: String) -> String {
        text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value > 0 }) : text
    }
}
