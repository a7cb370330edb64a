import Confinement
import Readability

/// The reader process's response to a request.
package enum ReaderResponse: Equatable, Sendable {
    case read(PageReading)
    /// The page exceeds a limit that the process checks itself.
    case overBudget

    package var message: Message {
        switch self {
        case .overBudget: Message([])
        case .read(let reading): Message(reading.fields.map { $0.map { Array($0.utf8) } })
        }
    }

    /// - Returns: nil for a message that is not a response. The texts are untrusted, because their writer has processed
    ///   the page.
    package init?(_ message: Message) {
        guard !message.fields.isEmpty else {
            self = .overBudget
            return
        }
        let texts = message.fields.map { $0.map { String(decoding: $0, as: UTF8.self) } }
        guard let reading = PageReading(fields: texts) else { return nil }
        self = .read(reading)
    }
}

extension PageReading {
    /// The fields in the order of ``init(fields:)``. Without an article, its fields are missing.
    fileprivate var fields: [String?] {
        let ofPage = [
            interstitial?.rawValue, metadata.title, metadata.description, metadata.siteName, metadata.image,
            metadata.byline, metadata.publishedTime,
            metadata.lang, metadata.canonical, metadata.openGraphURL, metadata.publishedAt, metadata.icon,
            metadata.kind.rawValue,
            metadata.enclosure?.url, metadata.enclosure?.type, metadata.enclosure?.duration.map { String($0) },
        ]
        guard let article else { return ofPage }
        return ofPage + [
            article.title, article.byline, article.content, article.textContent, article.excerpt, article.siteName,
            article.lang,
            article.dir, article.publishedTime, String(article.length), String(article.wordCount),
            article.readingTime.map { String($0) }, article.confidence.rawValue,
        ]
    }

    fileprivate init?(fields: [String?]) {
        guard [16, 29].contains(fields.count) else { return nil }
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
            // A page that stands for another one has no article.
            !(interstitial?.replacesSavedPage ?? false), let length = ofArticle[9].flatMap(Int32.init),
            let wordCount = ofArticle[10].flatMap(Int32.init),
            let confidence = ofArticle[12].flatMap(ArticleConfidence.init)
        else { return nil }
        self.init(
            metadata: metadata,
            article: StoredArticle(
                title: title, byline: ofArticle[1], content: content, textContent: text, excerpt: ofArticle[4],
                siteName: ofArticle[5],
                lang: ofArticle[6], dir: ofArticle[7], publishedTime: ofArticle[8], length: Int(length),
                wordCount: Int(wordCount),
                readingTime: ofArticle[11].flatMap(Int32.init).map { Int($0) }, publishedAt: metadata.publishedAt,
                confidence: confidence),
            interstitial: interstitial)
    }
}
