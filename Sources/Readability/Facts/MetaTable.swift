import HTML

/// The contents of a page's `meta` elements, grouped by meaning.
struct MetaTable {
    /// The meanings. Each is written under one or several names.
    enum Key: UInt8 {
        case openGraphTitle, twitterTitle, otherTitle
        case description, siteName, author, published
        case image, openGraphURL, type, card, locale, language
        case video, videoType, audio, audioType, stream, streamType, duration
        case category
        case label1, data1, label2, data2
    }

    private struct Value {
        let key: Key
        /// The position of the name in the key's list of names. The lowest rank wins.
        let rank: UInt8
        let text: String
    }

    private var values: [Value] = []
    /// Real pages have fewer; a page with ten thousand is hostile.
    private static let maxValues = 200
    /// In bytes. A longer content is cut.
    private static let maxContentBytes = 4_096

    /// Records a `meta` element.
    mutating func add(_ meta: NodeID, in document: Document) {
        guard values.count < Self.maxValues, document.has(meta, .content) else { return }
        for attribute in [AttributeName.property, .name, .itemprop, .httpEquiv] {
            guard let (key, rank) = document.withBytes(meta, attribute, Self.known) else { continue }
            guard let text = document.shortValue(meta, .content, maxBytes: Self.maxContentBytes) else { return }
            values.append(Value(key: key, rank: rank, text: text))
            return
        }
    }

    /// The value with the best rank; the first in document order among equals.
    subscript(_ key: Key) -> String? {
        var best: Value?
        for value in values where value.key == key && value.rank < best?.rank ?? .max { best = value }
        return best?.text
    }

    /// All values, those with the best rank first.
    func all(_ key: Key) -> [String] {
        values.filter { $0.key == key }.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        .map(\.element.text)
    }

    // MARK: - Names

    /// Returns the key and rank of the first known name in an attribute, which may hold several names.
    private static func known(_ written: UnsafeBufferPointer<UInt8>) -> (Key, UInt8)? {
        guard !written.isEmpty, written.count <= 200 else { return nil }
        var name: [UInt8] = []
        name.reserveCapacity(written.count)
        func found() -> (Key, UInt8)? { name.isEmpty ? nil : names[String(decoding: name, as: UTF8.self)] }
        for byte in written {
            if WhiteSpace.isASCII(byte) {
                if let known = found() { return known }
                name.removeAll(keepingCapacity: true)
            } else {
                // Treat `DC.creator` and `dc:creator` as the same name.
                name.append(byte == UInt8(ascii: ".") ? UInt8(ascii: ":") : lowercased(byte))
            }
        }
        return found()
    }

    private static let names: [String: (Key, UInt8)] = {
        var names: [String: (Key, UInt8)] = [:]
        for (key, spellings) in spellings {
            for (rank, name) in spellings.split(separator: " ").enumerated() {
                names[String(name)] = (key, UInt8(clamping: rank))
            }
        }
        return names
    }()

    /// Sources: https://ogp.me, https://developer.x.com/en/docs/x-for-websites/cards/overview/markup, Dublin Core
    /// (https://www.dublincore.org/specifications/dublin-core/dcmi-terms/), Highwire Press tags as required by Google
    /// Scholar (`citation_…`), Parse.ly, Sailthru, https://schema.org as `itemprop`, and names that content management
    /// systems were seen to write.
    private static let spellings: [(Key, String)] = [
        (.openGraphTitle, "og:title"),
        (.twitterTitle, "twitter:title"),
        (
            .otherTitle,
            """
            citation_title headline parsely-title sailthru:title dc:title dcterms:title dcterm:title \
            weibo:article:title title
            """
        ),
        (
            .description,
            """
            og:description description twitter:description dc:description dcterms:description dcterm:description \
            sailthru:description weibo:article:description
            """
        ),
        (
            .siteName,
            """
            og:site_name application-name citation_journal_title dc:publisher dcterms:publisher \
            apple-mobile-web-app-title
            """
        ),
        (
            .author,
            """
            citation_author author parsely-author sailthru:author article:author og:article:author dc:creator \
            dcterms:creator dcterm:creator byl article:author_name author_name articleauthor dc:contributor \
            citation_authors creator
            """
        ),
        (
            .published,
            """
            article:published_time og:article:published_time og:published_time datepublished citation_online_date \
            citation_publication_date parsely-pub-date sailthru:date article:published dc:date:issued dcterms:issued \
            dcterms:created dc:date:created publish_date publishdate publish-date publication_date publicationdate \
            published_time published_date published pubdate pub_date pub-date originalpublicationdate \
            article_date_original displaydate rnews:datepublished iso-8601-publish-date citation_date dc:date \
            dcterms:date date video:release_date og:release_date datecreated
            """
        ),
        (
            .image,
            """
            og:image:secure_url og:image og:image:url twitter:image twitter:image:src parsely-image-url \
            sailthru:image:full image thumbnail thumbnailurl
            """
        ),
        (.openGraphURL, "og:url"),
        (.type, "og:type"),
        (.card, "twitter:card"),
        (.locale, "og:locale"),
        (.language, "content-language dc:language dcterms:language inlanguage language citation_language"),
        (.video, "og:video:secure_url og:video:url og:video"),
        (.videoType, "og:video:type"),
        (.audio, "og:audio:secure_url og:audio:url og:audio"),
        (.audioType, "og:audio:type"),
        (.stream, "twitter:player:stream contenturl"),
        (.streamType, "twitter:player:stream:content_type encodingformat"),
        (.duration, "og:video:duration video:duration og:audio:duration music:duration duration"),
        (.category, "article:section article:tag og:article:tag parsely-section parsely-tags video:tag book:tag"),
        (.label1, "twitter:label1"), (.data1, "twitter:data1"), (.label2, "twitter:label2"), (.data2, "twitter:data2"),
    ]
}
