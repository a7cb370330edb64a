import HTML
import JSON
import Text

/// The facts that a page's JSON-LD states about the page's article, recording or film.
struct LinkedArticle {
    /// The schema.org type, such as `NewsArticle`.
    var type = ""
    var headline: String?
    var name: String?
    /// The authors: names of people, which take precedence, and names of organisations.
    var people: [String] = []
    var organisations: [String] = []
    var published: String?
    var description: String?
    /// The full text, if the JSON-LD contains it. It may be HTML.
    var body: String?
    var siteName: String?
    var language: String?
    /// The URLs as written.
    var images: [String] = []
    var logo: String?
    var medium: Medium?

    /// A film or recording: the page's subject, or one inside the article.
    struct Medium {
        var url: String?
        var type: String?
        var duration: String?
        var isVideo = false
    }

    /// Creates the facts from the object that describes the page; nil if there is none.
    ///
    /// - Parameters:
    ///   - addresses: the page's URLs in normalized form. An object that names one of them is the page's own.
    ///   - titles: the page's titles and headings, folded. Among several objects, the one with a matching title is
    ///     chosen.
    init?(_ graph: LinkedGraph, addresses: Set<String>, titles: [String]) {
        guard let (object, type) = Self.subject(of: graph, addresses, titles) else { return nil }
        self.type = type
        headline = Self.text(object["headline"])
        name = Self.text(object["name"]) ?? Self.text(object["title"])
        for author in Self.list(object["author"] ?? object["creator"]).prefix(20) {
            add(author: graph.resolved(author))
        }
        published =
            Self.text(object["datePublished"]) ?? Self.text(object["uploadDate"]) ?? Self.text(object["dateCreated"])
        description = Self.text(object["description"])
        body = object["articleBody"]?.string
        language = object["inLanguage"].flatMap {
            Self.text($0) ?? Self.text($0["alternateName"]) ?? Self.text($0["name"])
        }
        let publisher = object["publisher"].flatMap { Self.list($0).first }.map(graph.resolved)
        siteName = publisher.flatMap { Self.text($0["name"]) }
        logo = publisher.flatMap { Self.list($0["logo"]).first }.flatMap(Self.address)
        images = (Self.list(object["image"]) + Self.list(object["thumbnailUrl"]) + Self.list(object["thumbnail"]))
            .prefix(10)
            .compactMap { Self.address(graph.resolved($0)) }
        medium = Self.medium(of: object, type, graph)
    }

    private mutating func add(author: JSON) {
        // An author is a string, an object, or an object with several names.
        let names = author.string.map { [$0] } ?? Self.list(author["name"]).compactMap(\.string)
        let isOrganisation = LinkedGraph.types(of: author).contains {
            $0.hasSuffix("Organization") || $0 == "WebSite" || $0 == "Brand"
        }
        for name in names.prefix(20) {
            guard let name = Self.text(.string(name)) else { continue }
            if isOrganisation { organisations.append(name) } else { people.append(name) }
        }
    }

    // MARK: - Which object

    /// Ranks the types that a page may be about; 0 is the most specific. Source: https://schema.org/docs/full.html
    private static func rank(_ type: Substring) -> Int? {
        if type.hasSuffix("Article")
            || [
                "BlogPosting", "LiveBlogPosting", "Report", "SocialMediaPosting", "DiscussionForumPosting", "Review",
                "APIReference",
            ].contains(type)
        {
            return 0
        }
        if [
            "VideoObject", "AudioObject", "PodcastEpisode", "Recipe", "HowTo", "Movie", "TVEpisode", "RadioEpisode",
            "MusicRecording", "QAPage", "Question", "Book", "Course", "Event", "JobPosting", "CreativeWork",
        ]
        .contains(type) {
            return 1
        }
        return type.hasSuffix("Page") ? 2 : nil
    }

    private static func subject(of graph: LinkedGraph, _ addresses: Set<String>, _ titles: [String]) -> (JSON, String)?
    {
        var candidates: [(object: JSON, type: String, rank: Int)] = []
        for object in graph.objects {
            for type in LinkedGraph.types(of: object) {
                guard let rank = rank(type) else { continue }
                candidates.append((object, String(type), rank))
                break
            }
        }
        guard let best = candidates.map(\.rank).min() else { return nil }
        let same = candidates.filter { $0.rank == best }.prefix(50)
        if same.count > 1 {
            if let own = same.first(where: { isPage(addresses, $0.object) }) { return (own.object, own.type) }
            let titled = same.first { candidate in
                [candidate.object["headline"], candidate.object["name"]].contains { title in
                    guard let folded = text(title).map(NormalizedText.init), folded.text.utf8.count >= 4 else {
                        return false
                    }
                    return titles.contains {
                        $0.contains(folded.text) || folded.text.contains($0) && $0.utf8.count >= 12
                    }
                }
            }
            if let titled { return (titled.object, titled.type) }
            // More than two objects without a match are a list of other pages.
            if same.count > 2 { return nil }
        }
        return same.first.map { ($0.object, $0.type) }
    }

    private static func isPage(_ addresses: Set<String>, _ object: JSON) -> Bool {
        [object["url"], object["@id"], object["mainEntityOfPage"], object["mainEntityOfPage"]?["@id"]].contains {
            $0?.string.map { addresses.contains(PageFacts.normalized($0)) } ?? false
        }
    }

    // MARK: - Media

    private static func medium(of object: JSON, _ type: String, _ graph: LinkedGraph) -> Medium? {
        let inside = [object["audio"], object["video"], object["associatedMedia"], object["encoding"]].lazy.flatMap {
            list($0)
        }.prefix(5)
        for candidate in [object] + inside.map(graph.resolved) {
            guard
                let type = LinkedGraph.types(of: candidate).first(where: {
                    [
                        "VideoObject", "AudioObject", "PodcastEpisode", "MediaObject", "MusicRecording", "RadioEpisode",
                        "Clip",
                    ].contains($0)
                })
            else { continue }
            var medium = Medium()
            medium.url = address(candidate["contentUrl"] ?? .null)
            medium.type = text(candidate["encodingFormat"]) ?? text(candidate["fileFormat"])
            medium.duration = text(candidate["duration"]) ?? text(candidate["timeRequired"])
            medium.isVideo = type == "VideoObject" || type == "Clip"
            if medium.url != nil || medium.duration != nil { return medium }
        }
        return nil
    }

    // MARK: - Values

    private static func list(_ json: JSON?) -> [JSON] {
        guard let json else { return [] }
        return json.array ?? [json]
    }

    /// Returns the text as one line, with character references decoded: many sites escape JSON-LD as if it were HTML.
    private static func text(_ json: JSON?) -> String? {
        guard let text = json?.string, !text.isEmpty else { return nil }
        let short = text.utf8.count > 5_000 ? String(text.unicodeScalars.prefix(5_000)) : text
        return OneLine.of(CharacterReferences.standard.decoded(EscapedText.withoutNUL(short)))
    }

    private static func address(_ json: JSON) -> String? {
        let address = json.string ?? json["url"]?.string ?? json["contentUrl"]?.string ?? json["@id"]?.string
        return address.flatMap { $0.utf8.count <= 4_096 ? $0 : nil }.nonEmpty
    }
}
