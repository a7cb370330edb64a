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
        func read(_ text: String?) -> ParsedDate? { text.flatMap { Dates.read($0, languages: languages, now: now) } }
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
        for text in around().datelines where takeUnchanged(text, read) { return }
        text = Self.inPath(of: url, now: now)
        guard text == nil else { return }
        for text in around().lines where text.utf8.count <= Self.longestLine && takeUnchanged(text, read) { return }
    }

    private mutating func take(_ text: String, _ read: (String?) -> ParsedDate?) -> Bool {
        guard let date = read(text), date.year >= Self.firstYear else { return false }
        (written, self.text) = (text, date.text)
        return true
    }

    /// Takes a line's date, unless it is that of a change; few lines have one, so the words are looked at last.
    private mutating func takeUnchanged(_ line: String, _ read: (String?) -> ParsedDate?) -> Bool {
        read(line) != nil && Self.withoutChange(line).map { take($0, read) } ?? false
    }

    private mutating func take(_ node: NodeID, _ document: Document, _ read: (String?) -> ParsedDate?) -> Bool {
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

    /// Whether what stands before a time says that it is that of a change.
    private static func isOfChange(_ time: NodeID, _ document: Document) -> Bool {
        var before = document.previousSibling(time)
        while let blank = before, document.isBlank(blank) { before = document.previousSibling(blank) }
        return before.flatMap { document.shortText($0, most: 60) }.map(isOfChange) ?? false
    }

    /// Whether the words before the first number of a line say so, and say nothing of publishing.
    private static func isOfChange(_ line: String) -> Bool {
        let words = words(String(line.prefix { !$0.isNumber }))
        return changeWords.occurs(in: words[...]) && !publicationWords.occurs(in: words[...])
    }

    /// A line without what it says of a change; nil where it says nothing else.
    private static func withoutChange(_ line: String) -> String? {
        guard isOfChange(line) else { return line }
        let parts = line.split { ",;|·•()–—".contains($0) }
        return parts.drop { !publicationWords.occurs(in: words(String($0))[...]) }.first.map(String.init)
    }

    private static func words(_ line: String) -> [UInt8] { Array(Folded(line).words.joined(separator: " ").utf8) }

    /// English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Polish, Swedish, Japanese, Chinese, Korean.
    private static let changeWords = Openings(
        """
        updated
        update
        modified
        last edited
        last revised
        last reviewed
        aktualisiert
        aktualisierung
        zuletzt geändert
        mis à jour
        mise à jour
        modifié
        actualizado
        actualizada
        última actualización
        modificado
        última modificación
        atualizado
        atualizada
        aggiornato
        ultimo aggiornamento
        bijgewerkt
        gewijzigd
        обновлено
        изменено
        zaktualizowano
        aktualizacja
        uppdaterad
        更 新
        最 終 更 新
        수정
        """)
    private static let publicationWords = Openings(
        """
        published
        posted
        created
        veröffentlicht
        erstellt
        publié
        publiée
        publicado
        publicada
        pubblicato
        gepubliceerd
        опубликовано
        opublikowano
        publicerad
        公 開
        发 布
        發 布
        입력
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
