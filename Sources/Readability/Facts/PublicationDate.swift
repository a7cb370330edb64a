import Dates
import HTML

/// When a page's article was published.
struct PublicationDate {
    /// As the page has it.
    var written: String?
    /// ISO 8601, where that names a point in time.
    var text: String?

    /// Years before which no page was made; what people write at the top of one is then no date of it.
    private static let firstYear = 1990
    /// Bytes of a line that is hardly more than a date, and does not merely mention one.
    private static let longestLine = 48

    init(
        _ sources: PageSources, in document: Document, linked: LinkedArticle?, url: String, languages: [String], now: Int,
        around: @escaping () -> NearHeadline
    ) {
        func read(_ text: String?) -> WrittenDate? { text.flatMap { Dates.read($0, languages: languages, now: now) } }
        for text in [linked?.published].compactMap({ $0 }) + sources.metas.all(.published).prefix(6) {
            if written == nil { written = text }
            if let date = read(text) {
                self.written = text
                self.text = date.text
                return
            }
        }
        for node in (sources.properties("datepublished", in: document) + sources.properties("datecreated", in: document)).prefix(4) {
            if take(node, document, read) { return }
        }
        for node in Self.times(sources, document) where take(node, document, read) { return }
        for text in around().datelines where !Self.isOfChange(text) && take(text, read) { return }
        text = Self.inPath(of: url, now: now)
        guard text == nil else { return }
        for text in around().lines where text.utf8.count <= Self.longestLine && !Self.isOfChange(text) && take(text, read) { return }
    }

    private mutating func take(_ text: String, _ read: (String?) -> WrittenDate?) -> Bool {
        guard let date = read(text), date.year >= Self.firstYear else { return false }
        (written, self.text) = (text, date.text)
        return true
    }

    private mutating func take(_ node: NodeID, _ document: Document, _ read: (String?) -> WrittenDate?) -> Bool {
        let machine = document.shortValue(node, .datetime, most: 100) ?? document.shortValue(node, .content, most: 100)
        let texts = [machine, document.shortText(node, most: 120)].compactMap { $0 }
        return texts.contains { take($0, read) }
    }

    /// Those marked as the date of publication first; none of a later change.
    private static func times(_ sources: PageSources, _ document: Document) -> [NodeID] {
        let times = sources.times.prefix(12).filter { time in
            var names = document.classAndID(time)
            if let parent = document.parent(time) { names += document.classAndID(parent) }
            return !changed.matches(names) && !document.hasWord("datemodified", time, .itemprop) && !isOfChange(time, document)
        }
        let marked = times.filter { document.attribute($0, named: "pubdate") != nil || published.matches(document.classAndID($0)) }
        return (marked + times).prefix(6).map { $0 }
    }

    /// Whether the words before a time say that it is that of a change.
    private static func isOfChange(_ time: NodeID, _ document: Document) -> Bool {
        guard let before = document.previousSibling(time), document.isText(before) else { return false }
        return document.withText(before) { $0.count <= 60 && isOfChange(String(decoding: $0, as: UTF8.self)) }
    }

    /// Whether the words before the first number of a line say so.
    private static func isOfChange(_ line: String) -> Bool {
        let words = Folded(String(line.prefix { !$0.isNumber })).words.joined(separator: " ")
        return changeWords.stands(in: Array(words.utf8)[...])
    }

    /// English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Polish, Swedish.
    private static let changeWords = Openings(
        """
        updated
        modified
        edited
        revised
        aktualisiert
        geändert
        mis à jour
        modifié
        actualizado
        actualizada
        atualizado
        aggiornato
        bijgewerkt
        gewijzigd
        обновлено
        изменено
        zaktualizowano
        uppdaterad
        """)

    private static let changed = WordPattern("updated modified aktualis comment")
    private static let published = WordPattern("publish entry-date posted")

    /// `/2024/05/06/` in the address, as many papers file their articles.
    private static func inPath(of url: String, now: Int) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2).prefix(12)
        let parts = Array(path)
        for place in parts.indices.dropLast(2) {
            let (year, month, day) = (parts[place], parts[place + 1], parts[place + 2])
            guard year.utf8.count == 4, year.hasPrefix("19") || year.hasPrefix("20"), (1...2).contains(month.utf8.count), (1...2).contains(day.utf8.count)
            else { continue }
            if let date = Dates.read("\(year)-\(month)-\(day)", now: now), date.year >= firstYear { return date.text }
        }
        return nil
    }
}
