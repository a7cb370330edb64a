import HTML

/// Finds the authors of a page's article.
enum Authors {
    /// Returns the names, joined by commas; nil if the page names nobody. The first source with a full name wins. An
    /// account name is used only if no source has a full name.
    static func byline(
        _ sources: FactElements, in document: Document, linked: LinkedArticle?, sites: SiteNames,
        nearHeadline: @escaping () -> NearHeadline
    ) -> String? {
        var accountNames: String?
        for written in texts(sources, document, linked, sites, nearHeadline) {
            let names = Byline.names(written(), sites: sites)
            let full = names.filter { !Byline.isHandle($0) }
            if !full.isEmpty { return full.joined(separator: ", ") }
            if accountNames == nil, !names.isEmpty { accountNames = names.joined(separator: ", ") }
        }
        return accountNames
    }

    /// The sources, most reliable first. They are closures so that a source that needs a walk over the page is
    /// evaluated only when it is reached.
    private static func texts(
        _ sources: FactElements, _ document: Document, _ linked: LinkedArticle?, _ sites: SiteNames,
        _ nearHeadline: @escaping () -> NearHeadline
    ) -> [() -> [String]] {
        [
            { linked?.people ?? [] },
            { sources.metas.all(.author).filter { !$0.contains("://") } },
            { properties(sources, document) },
            { sources.authors.prefix(5).compactMap { document.shortText($0, maxBytes: 160) } },
            { labelledNames(sources.metas) },
            // Only the first byline counts: later ones belong to other articles and to comments.
            { nearHeadline().bylines.first { !Byline.names([$0], sites: sites).isEmpty }.map { [$0] } ?? [] },
            {
                nearHeadline().lines.first { Byline.isByline($0) && !Byline.names([$0], sites: sites).isEmpty }.map {
                    [$0]
                } ?? []
            },
            { linked?.organisations ?? [] },
        ]
    }

    /// The texts of `itemprop=author`, or of the `itemprop=name` elements inside it.
    private static func properties(_ sources: FactElements, _ document: Document) -> [String] {
        let authors = sources.properties("author", in: document).prefix(6)
        let names = sources.properties("name", in: document).filter { name in
            authors.contains { $0 != name && document.isInside(name, $0) }
        }
        return (names.isEmpty ? Array(authors) : names).compactMap {
            document.shortValue($0, .content, maxBytes: 160) ?? document.shortText($0, maxBytes: 160)
        }
    }

    /// Twitter cards have pairs of a label and a value: `Written by`, `Jane Doe`.
    private static func labelledNames(_ metas: MetaTable) -> [String] {
        [(metas[.label1], metas[.data1]), (metas[.label2], metas[.data2])].compactMap { label, data in
            guard let label = label?.lowercased(), let data else { return nil }
            return labels.contains { label.hasPrefix($0) } ? data : nil
        }
    }

    /// The labels that WordPress and its translations write.
    private static let labels = [
        "written by", "author", "verfasst von", "geschrieben von", "écrit par", "rédigé par", "escrito por",
        "scritto da", "geschreven door", "skrevet av", "skriven av", "skrevet af", "napisane przez", "написано автором",
        "yazan", "作者", "執筆者", "글쓴이",
    ]
}
