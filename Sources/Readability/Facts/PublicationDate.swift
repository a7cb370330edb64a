import Dates
import HTML

/// Finds the date on which a page's article was published.
struct PublicationDate {
    /// The date as written in the page.
    var written: String?
    /// The date in ISO 8601, if the written date could be parsed.
    var text: String?

    /// No web page was made before this year. An earlier date near the headline is part of the content.
    private static let firstYear = 1990
    /// In bytes. A line this short consists of a date; a longer one only mentions it.
    private static let maxLineBytes = 48

    init(
        _ sources: FactElements, in document: Document, linked: LinkedArticle?, url: String, languages: [String],
        now: Int,
        nearHeadline: @escaping () -> NearHeadline
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
        for node
            in (sources.properties("datepublished", in: document) + sources.properties("datecreated", in: document))
            .prefix(4)
        {
            if accept(node, document, read) { return }
        }
        for node in Self.times(sources, document) where accept(node, document, read) { return }
        for text in nearHeadline().datelines where acceptUnlessModified(text, read) { return }
        text = Self.inPath(of: url, now: now)
        guard text == nil else { return }
        for text in nearHeadline().lines where text.utf8.count <= Self.maxLineBytes && acceptUnlessModified(text, read)
        { return }
    }

    private mutating func accept(_ text: String, _ read: (String?) -> ParsedDate?) -> Bool {
        guard let date = read(text), date.year >= Self.firstYear else { return false }
        (written, self.text) = (text, date.text)
        return true
    }

    /// Accepts a line's date unless it is a modification date. Few lines have a date, so the word lists are checked
    /// last.
    private mutating func acceptUnlessModified(_ line: String, _ read: (String?) -> ParsedDate?) -> Bool {
        read(line) != nil && Self.withoutModificationDate(line).map { accept($0, read) } ?? false
    }

    private mutating func accept(_ node: NodeID, _ document: Document, _ read: (String?) -> ParsedDate?) -> Bool {
        let machine =
            document.shortValue(node, .datetime, maxBytes: 100) ?? document.shortValue(node, .content, maxBytes: 100)
        let texts = [machine, document.shortText(node, maxBytes: 120)].compactMap { $0 }
        return texts.contains { accept($0, read) }
    }

    /// The `time` elements marked as a publication date, then the others. Modification dates are left out.
    private static func times(_ sources: FactElements, _ document: Document) -> [NodeID] {
        let times = sources.times.prefix(12).filter { time in
            var names = document.classAndID(time)
            if let parent = document.parent(time) { names += document.classAndID(parent) }
            return !modificationClass.matches(names) && !document.hasWord("datemodified", time, .itemprop)
                && !namesModification(time, document)
        }
        let marked = times.filter {
            document.attribute($0, named: "pubdate") != nil || publicationClass.matches(document.classAndID($0))
        }
        return (marked + times).prefix(6).map { $0 }
    }

    /// Whether the text before a `time` element says that it is a modification date.
    private static func namesModification(_ time: NodeID, _ document: Document) -> Bool {
        var before = document.previousSibling(time)
        while let blank = before, document.isBlank(blank) { before = document.previousSibling(blank) }
        return before.flatMap { document.shortText($0, maxBytes: 60) }.map(namesModification) ?? false
    }

    /// Whether the words before the first number name a modification and no publication.
    private static func namesModification(_ line: String) -> Bool {
        let words = words(String(line.prefix { !$0.isNumber }))
        return modificationWords.occurs(in: words[...]) && !publicationWords.occurs(in: words[...])
    }

    /// Returns a line without its modification date; nil if it has no other date.
    private static func withoutModificationDate(_ line: String) -> String? {
        guard namesModification(line) else { return line }
        let parts = line.split { ",;|·•()–—".contains($0) }
        return parts.drop { !publicationWords.occurs(in: words(String($0))[...]) }.first.map(String.init)
    }

    private static func words(_ line: String) -> [UInt8] {
        Array(NormalizedText(line).words.joined(separator: " ").utf8)
    }

    /// English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Polish, Swedish, Japanese, Chinese,
    /// Korean.
    private static let modificationWords = Openings(
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

    private static let modificationClass = WordPattern("updated modified aktualis comment")
    private static let publicationClass = WordPattern("publish entry-date posted")

    /// Finds a date in the URL's path, such as `/2024/05/06/`, which many news sites use.
    private static func inPath(of url: String, now: Int) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2).prefix(12)
        let parts = Array(path)
        for place in parts.indices.dropLast(2) {
            let (year, month, day) = (parts[place], parts[place + 1], parts[place + 2])
            guard year.utf8.count == 4, year.hasPrefix("19") || year.hasPrefix("20"),
                (1...2).contains(month.utf8.count), (1...2).contains(day.utf8.count)
            else { continue }
            if let date = Dates.read("\(year)-\(month)-\(day)", now: now), date.year >= firstYear { return date.text }
        }
        return nil
    }
}
