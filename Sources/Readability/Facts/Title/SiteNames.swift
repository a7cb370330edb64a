/// The names a page uses for its site, folded for comparison.
struct SiteNames {
    private var names: Set<String> = []

    /// - Parameter host: the page's host. Its labels count as names, except for the last.
    init(_ written: [String?], host: String?) {
        for name in written { add(name) }
        guard let host else { return }
        let labels = host.lowercased().split(separator: ".")
        names.insert(NormalizedText(host).text)
        if labels.first == "www" { names.insert(NormalizedText(labels.dropFirst().joined(separator: ".")).text) }
        for label in labels.dropLast() where label.utf8.count >= 3 && label != "www" {
            names.insert(NormalizedText(String(label)).text)
        }
    }

    mutating func add(_ name: String?) {
        guard let name = name.map({ NormalizedText($0).text }), !name.isEmpty else { return }
        names.insert(name)
    }

    /// Whether a text is one of the names, with or without an article, a part of one (`The Tidewater` for `Tidewater
    /// News`), or a short text that begins with one.
    func contains(_ text: String) -> Bool {
        let folded = NormalizedText(text)
        guard !folded.text.isEmpty, folded.words.count <= 8 else { return false }
        if names.contains(folded.text) { return true }
        let bare =
            folded.words.first.map(Self.articles.contains) == true ? folded.words.dropFirst().joined() : folded.text
        return names.contains { name in
            name == bare
                || bare.utf8.count >= 4 && folded.words.count <= 5 && (name.hasPrefix(bare) || name.hasSuffix(bare))
                || name.utf8.count >= 4 && folded.words.count <= 5 && bare.hasPrefix(name)
        }
    }

    /// Whether a text is one of the names in full.
    func isExactly(_ text: String) -> Bool { names.contains(NormalizedText(text).text) }

    /// Articles at the beginning of newspaper names: English, German, French, Spanish, Italian, Portuguese, Dutch.
    private static let articles: Set<String> = [
        "the", "der", "die", "das", "le", "la", "les", "el", "il", "o", "a", "de", "het",
    ]
}
