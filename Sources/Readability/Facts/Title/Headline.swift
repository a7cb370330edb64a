import HTML

/// Chooses the title of a page: the text on which most of its sources agree, preferably in the form that readers see.
struct Headline {
    var text: String?
    /// The name of the site, if it stood beside the headline.
    var site: String?

    private struct Candidate {
        let text: String
        let folded: NormalizedText
        var weight: Double
        let isVisible: Bool
    }

    /// In bytes. A longer heading is not a headline.
    static let maxHeadingBytes = 600

    // The weight of each source by itself. Readers take the heading for the title; the `title` element is written for
    // search engines.
    private static let onlyHeadingWeight = 5.0
    private static let headingWeight = 3.0
    private static let openGraphWeight = 3.0
    private static let linkedHeadlineWeight = 3.0
    private static let linkedNameWeight = 1.5
    private static let twitterWeight = 1.5
    private static let otherWeight = 2.0
    private static let titleWeight = 2.5
    /// Texts with a lower likeness are about different things.
    private static let relatedThreshold = 0.3
    /// The bonus of a heading that matches the metadata. Metadata titles are often shortened for search and sharing, so
    /// the heading is the better text.
    private static let relatedHeadingBonus = 2.0

    /// Whether the candidate is the heading without its topic label: `Crafts The man who bakes at night`.
    private static func isWithoutTopic(_ candidate: Candidate, _ heading: Candidate) -> Bool {
        !candidate.isVisible && candidate.folded.text.utf8.count * 2 > heading.folded.text.utf8.count
            && candidate.folded.text != heading.folded.text && heading.folded.text.hasSuffix(candidate.folded.text)
    }

    /// Returns a heading's text without the symbol of its self-link.
    static func heading(_ node: NodeID, _ document: Document) -> String? {
        guard var text = document.shortText(node, maxBytes: maxHeadingBytes) else { return nil }
        while let last = text.last, "¶§#🔗 ".contains(last) { text.removeLast() }
        return text.isEmpty ? nil : text
    }

    init(_ sources: FactElements, in document: Document, linked: LinkedArticle?, sites: SiteNames) {
        let headings = sources.headings.prefix(8).compactMap { Self.heading($0, document) }.filter {
            !sites.contains($0)
        }.map { (text: $0, folded: NormalizedText($0)) }
        var knownHeadlines = Set(headings.map(\.folded.text))
        // The titles from the metadata, without the site's name.
        var metadataHeadlines: [Candidate] = []
        for (text, weight) in Self.metadataTitles(sources, in: document, linked: linked) {
            let parts = TitleParts.split(text, sites: sites, headlines: knownHeadlines)
            site = site ?? parts.site
            let folded = NormalizedText(parts.headline)
            metadataHeadlines.append(
                Candidate(text: parts.headline, folded: folded, weight: weight, isVisible: false))
        }
        knownHeadlines.formUnion(metadataHeadlines.map(\.folded.text))
        let secondHeadings = sources.secondHeadings.compactMap { Self.heading($0, document) }.map {
            ($0, NormalizedText($0))
        }
        .filter { $0.1.words.count >= 2 }
        knownHeadlines.formUnion(secondHeadings.map(\.1.text))
        var candidates: [Candidate] = []
        for heading in headings {
            let weight = headings.count == 1 ? Self.onlyHeadingWeight : Self.headingWeight
            // A page may repeat its heading; count it once.
            if !candidates.contains(where: { $0.folded.text == heading.folded.text }) {
                candidates.append(
                    Candidate(text: heading.text, folded: heading.folded, weight: weight, isVisible: true))
            }
        }
        candidates += metadataHeadlines
        if let title = sources.title {
            let parts = TitleParts.split(title, sites: sites, headlines: knownHeadlines)
            site = site ?? parts.site
            // No other source shows where the headline ends, so apply Readability's rules of thumb.
            let text =
                candidates.isEmpty && parts.site == nil
                ? String(PageTitle.of(document).unicodeScalars.prefix(1_000)) : parts.headline
            candidates.append(
                Candidate(text: text, folded: NormalizedText(text), weight: Self.titleWeight, isVisible: false))
        }
        // An `h2` counts only if a metadata title has exactly the same text.
        if let second = secondHeadings.first(where: { second in
            candidates.contains { $0.folded.text == second.1.text && !$0.isVisible }
        }) {
            candidates.append(Candidate(text: second.0, folded: second.1, weight: Self.headingWeight, isVisible: true))
        }
        candidates.removeAll { $0.folded.text.isEmpty }
        text = Self.choice(among: Self.weighed(candidates), sites: sites)
    }

    /// The titles in the metadata, each with the weight of its source.
    private static func metadataTitles(
        _ sources: FactElements, in document: Document, linked: LinkedArticle?
    ) -> [(text: String, weight: Double)] {
        let written: [(String?, Double)] = [
            (linked?.headline, linkedHeadlineWeight),
            (linked?.name, linked?.headline == nil ? linkedHeadlineWeight : linkedNameWeight),
            (sources.metas[.openGraphTitle], openGraphWeight), (sources.metas[.otherTitle], otherWeight),
            (
                sources.properties("headline", in: document).first.flatMap {
                    document.shortText($0, maxBytes: maxHeadingBytes)
                }, linkedHeadlineWeight
            ),
            (sources.metas[.twitterTitle], twitterWeight),
        ]
        return written.compactMap { text, weight in
            text.flatMap { OneLine.of($0, limit: 500) }.map { (text: $0, weight: weight) }
        }
    }

    /// Adds to the weight of each candidate the weights of the candidates that agree with it.
    private static func weighed(_ all: [Candidate]) -> [Candidate] {
        var candidates = all
        for index in candidates.indices {
            let one = all[index]
            var isRelated = false
            for other in all where other.text != one.text || other.isVisible != one.isVisible {
                if one.isVisible && other.isVisible { continue }
                let likeness = one.folded.text == other.folded.text ? 1 : one.folded.likeness(other.folded)
                if likeness >= relatedThreshold {
                    candidates[index].weight += other.weight * likeness
                    if one.isVisible { isRelated = true }
                }
            }
            // Add the weights of other sources with the same text.
            candidates[index].weight += all.indices.filter {
                $0 != index && all[$0].text == one.text && all[$0].isVisible == one.isVisible
            }
            .reduce(0) { $0 + all[$1].weight }
            if isRelated { candidates[index].weight += relatedHeadingBonus }
        }
        return candidates
    }

    /// The text of the heaviest candidate. Another one is preferred to the name of a site, and to a heading that begins
    /// with a topic label.
    private static func choice(among candidates: [Candidate], sites: SiteNames) -> String? {
        var best: Candidate?
        for candidate in candidates where candidate.weight > best?.weight ?? 0 { best = candidate }
        guard let best else { return nil }
        if sites.contains(best.text),
            let other = candidates.first(where: { !sites.contains($0.text) && $0.weight >= titleWeight })
        {
            return other.text
        }
        if best.isVisible, let withoutTopic = candidates.first(where: { isWithoutTopic($0, best) }) {
            return withoutTopic.text
        }
        return best.text
    }
}
