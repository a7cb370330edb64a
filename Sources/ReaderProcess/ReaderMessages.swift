import Confinement
import Readability

/// The first word of a reading process: it is confined, and this is how.
package struct ReaderGreeting: Equatable {
    /// Whether its system calls are filtered.
    package var isFiltered: Bool

    private static let word = Array("reading".utf8)

    package var message: Message { Message([Self.word, isFiltered ? [1] : [0]]) }

    package init(isFiltered: Bool) { self.isFiltered = isFiltered }

    package init?(_ message: Message) {
        guard message.fields.count == 2, message.fields[0] == Self.word, let flag = message.fields[1], [[0], [1]].contains(flag)
        else { return nil }
        isFiltered = flag == [1]
    }
}

/// One page or file for the reading process.
package struct ReaderRequest: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// Read it.
        case page = 1
        /// It was too much: its text alone.
        case text = 2
        case plainText = 3
        case markdown = 4
        case pdf = 5
    }

    package var kind: Kind
    package var url: String
    /// The page, or the file; texts are in UTF-8.
    package var html: [UInt8]
    /// Of HTTP, where it is no success.
    package var status: UInt16?

    package var message: Message {
        Message([[kind.rawValue], Array(url.utf8), html, status.map { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }])
    }

    package init(_ kind: Kind, url: String, html: [UInt8], status: UInt16? = nil) {
        self.kind = kind
        self.url = url
        self.html = html
        self.status = status
    }

    package init?(_ message: Message) {
        guard message.fields.count == 4, let kind = message.fields[0]?.first.flatMap(Kind.init), let url = message.fields[1],
            let html = message.fields[2]
        else { return nil }
        var status: UInt16?
        if let bytes = message.fields[3] {
            guard bytes.count == 2 else { return nil }
            status = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        }
        self.init(kind, url: String(decoding: url, as: UTF8.self), html: html, status: status)
    }
}

/// What the reading process made of a page.
package enum ReaderResponse: Equatable, Sendable {
    case read(PageReading)
    /// The page is beyond a limit that the process found by itself.
    case overBudget

    package var message: Message {
        switch self {
        case .overBudget: Message([])
        case .read(let reading): Message(reading.fields.map { $0.map { Array($0.utf8) } })
        }
    }

    /// - Returns: nil for what is no answer. The texts of one that is are anything: who wrote them has seen the page.
    package init?(_ message: Message) {
        guard !message.fields.isEmpty else {
            self = .overBudget
            return
        }
        guard let reading = PageReading(fields: message.fields.map { $0.map { String(decoding: $0, as: UTF8.self) } }) else { return nil }
        self = .read(reading)
    }
}

extension PageReading {
    /// In the order of ``init(fields:)``; those of the article are missing when it is.
    fileprivate var fields: [String?] {
        let ofPage = [
            interstitial?.rawValue, metadata.title, metadata.description, metadata.siteName, metadata.image, metadata.byline, metadata.publishedTime,
            metadata.lang, metadata.canonical, metadata.openGraphURL, metadata.publishedAt, metadata.icon, metadata.kind.rawValue,
            metadata.enclosure?.url, metadata.enclosure?.type, metadata.enclosure?.duration.map { String($0) },
        ]
        guard let article else { return ofPage }
        return ofPage + [
            article.title, article.byline, article.content, article.textContent, article.excerpt, article.siteName, article.lang,
            article.dir, article.publishedTime, String(article.length), String(article.wordCount),
            article.readingTime.map { String($0) },
        ]
    }

    fileprivate init?(fields: [String?]) {
        guard [16, 28].contains(fields.count) else { return nil }
        var rest = fields[...]
        let named = rest.removeFirst()
        let interstitial = named.flatMap(Interstitial.init)
        guard (named == nil) == (interstitial == nil) else { return nil }
        var metadata = PageMetadata()
        metadata.title = rest.removeFirst()
        metadata.description = rest.removeFirst()
        metadata.siteName = rest.removeFirst()
        metadata.image = rest.removeFirst()
        metadata.byline = rest.removeFirst()
        metadata.publishedTime = rest.removeFirst()
        metadata.lang = rest.removeFirst()
        metadata.canonical = rest.removeFirst()
        metadata.openGraphURL = rest.removeFirst()
        metadata.publishedAt = rest.removeFirst()
        metadata.icon = rest.removeFirst()
        metadata.kind = rest.removeFirst().flatMap { PageKind(rawValue: $0) } ?? .other
        let (address, type, duration) = (rest.removeFirst(), rest.removeFirst(), rest.removeFirst().flatMap(Int32.init))
        metadata.enclosure = address.map { Enclosure(url: $0, type: type, duration: duration.map { Int($0) }) }
        guard !rest.isEmpty else {
            self.init(metadata: metadata, article: nil, interstitial: interstitial)
            return
        }
        let ofArticle = Array(rest)
        guard let title = ofArticle[0], let content = ofArticle[2], let text = ofArticle[3],
            // Of a page that is another there is none.
            !(interstitial?.replacesSavedPage ?? false), let length = ofArticle[9].flatMap(Int32.init), let wordCount = ofArticle[10].flatMap(Int32.init)
        else { return nil }
        self.init(
            metadata: metadata,
            article: StoredArticle(
                title: title, byline: ofArticle[1], content: content, textContent: text, excerpt: ofArticle[4], siteName: ofArticle[5],
                lang: ofArticle[6], dir: ofArticle[7], publishedTime: ofArticle[8], length: Int(length), wordCount: Int(wordCount),
                readingTime: ofArticle[11].flatMap(Int32.init).map { Int($0) }, publishedAt: metadata.publishedAt),
            interstitial: interstitial)
    }
}
