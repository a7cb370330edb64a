import HTML

/// Who wrote a page's article.
enum Authors {
    /// The names, joined by commas; nil where nobody is named. The first source with a full name counts; a mere account's
    /// name only where there is nothing better.
    static func byline(
        _ sources: PageSources, in document: Document, linked: LinkedArticle?, sites: SiteNames, around: @escaping () -> NearHeadline
    ) -> String? {
        var weak: String?
        for written in texts(sources, document, linked, sites, around) {
            let names = Byline.names(written(), sites: sites)
            let full = names.filter { !Byline.isHandle($0) }
            if !full.isEmpty { return full.joined(separator: ", ") }
            if weak == nil, !names.isEmpty { weak = names.joined(separator: ", ") }
        }
        return weak
    }

    /// The sources, the surest first; what costs a walk only when it is asked for.
    private static func texts(
        _ sources: PageSources, _ document: Document, _ linked: LinkedArticle?, _ sites: SiteNames, _ around: @escaping () -> NearHeadline
    ) -> [() -> [String]] {
        [
            { linked?.people ?? [] },
            { sources.metas.all(.author).filter { !$0.contains("://") } },
            { properties(sources, document) },
            { sources.authors.prefix(5).compactMap { document.shortText($0, most: 160) } },
            { labelled(sources.metas) },
            // The first of them: behind it are those of other articles, and of comments.
            { around().bylines.first { !Byline.names([$0], sites: sites).isEmpty }.map { [$0] } ?? [] },
            { around().lines.first { Byline.isByline($0) && !Byline.names([$0], sites: sites).isEmpty }.map { [$0] } ?? [] },
            { linked?.organisations ?? [] },
        ]
    }

    /// `itemprop=author`, its `name` where it has one.
    private static func properties(_ sources: PageSources, _ document: Document) -> [String] {
        let authors = sources.properties("author", in: document).prefix(6)
        let names = sources.properties("name", in: document).filter { name in authors.contains { $0 != name && document.isInside(name, $0) } }
        return (names.isEmpty ? Array(authors) : names).compactMap { document.shortValue($0, .content, most: 160) ?? document.shortText($0, most: 160) }
    }

    /// Cards of what was Twitter have pairs of a label and a value: `Written by`, `Jane Doe`.
    private static func labelled(_ metas: MetaTable) -> [String] {
        [(metas[.label1], metas[.data1]), (metas[.label2], metas[.data2])].compactMap { label, data in
            guard let label = label?.lowercased(), let data else { return nil }
            return labels.contains { label.hasPrefix($0) } ? data : nil
        }
    }

    /// As WordPress and its translations write it.
    private static let labels = [
        "written by", "author", "verfasst von", "geschrieben von", "écrit par", "rédigé par", "escrito por", "scritto da", "geschreven door", "skrevet av", "skriven av", "skrevet af", "napisane przez", "написано автором",
        "yazan", "作者", "執筆者", "글쓴이",
    ]
}
