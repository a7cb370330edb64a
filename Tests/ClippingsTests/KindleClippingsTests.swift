import Testing

@testable import Clippings

@Suite("Clippings / My Clippings.txt")
struct KindleClippingsTests {
    private func books(_ entries: [(title: String, kind: String, text: String)]) throws -> [ClippedBook] {
        let file = entries.map { "\($0.title)\r\n\($0.kind)\r\n\r\n\($0.text)\r\n==========\r\n" }.joined()
        return try ClippingsFile.books(in: Array(("\u{FEFF}" + file).utf8))
    }

    @Test("entries are grouped by title, and notes belong to the highlight at their place")
    func grouping() throws {
        let rivers = "Rivers (of Europe) (Ann Author)"
        let added = "Added on Monday, 1 January 2024 10:00:00"
        let books = try books([
            (rivers, "- Your Highlight on page 5 | Location 100-102 | \(added)", "The river"),
            (rivers, "- Your Note on page 5 | Location 102 | \(added)", "Mine"),
            (rivers, "- Your Highlight on page 5 | Location 100-104 | \(added)", "The river begins"),
            (rivers, "- Your Highlight on page 5 | Location 100-104 | \(added)", "Another"),
            (rivers, "- Your Bookmark on page 9 | Location 200 | \(added)", ""),
            ("Über alles", "- Ihre Markierung bei Position 7-8 | Hinzugefügt am Montag, 1. Januar 2024", "Anfang"),
            ("Über alles", "- Ihre Notiz bei Position 8 | Hinzugefügt am Montag, 1. Januar 2024", "Meine"),
            ("川", "- 位置No. 7-8のハイライト |作成日: 2024年1月1日", "始まり"), ("川", "- 位置No. 8のメモ |作成日: 2024年1月1日", "私の"),
        ])
        #expect(
            books == [
                ClippedBook(
                    title: "Rivers (of Europe)", heading: rivers,
                    clippings: [Clipping(quote: "The river begins", note: "Mine"), Clipping(quote: "Another")]),
                ClippedBook(title: "Über alles", clippings: [Clipping(quote: "Anfang", note: "Meine")]),
                ClippedBook(title: "川", clippings: [Clipping(quote: "始まり", note: "私の")]),
            ])
    }

    @Test(
        "highlights and notes are recognised in ten languages of the Kindle",
        arguments: [
            ("- Your Highlight on page 5 | Location 100-104 | Added", "- Your Note on page 5 | Location 104 | Added"),
            ("- Highlight on Page 5 | Loc. 1100-05  | Added on", "- Note on Page 5 | Loc. 1105  | Added on"),
            ("- Ihre Markierung auf Seite 5 | Position 100-104 | Am", "- Ihre Notiz auf Seite 5 | Position 104 | Am"),
            ("- Votre surlignement sur la page 5 | emplacement 100-104 | Le", "- Votre note à l'emplacement 104 | Le"),
            ("- Tu subrayado en la página 5 | Posición 100-104 | Añadido", "- Tu nota en la posición 104 | El"),
            ("- La tua evidenziazione alla posizione 100-104 | Il", "- La tua nota alla posizione 104 | Il"),
            ("- Seu destaque na página 5 | posição 100-104 | Adicionado", "- Sua nota ou posição 104 | Adicionado"),
            ("- Je markering op pagina 5 | Locatie 100-104 | Toegevoegd", "- Je notitie op locatie 104 | Toegevoegd"),
            ("– Ваш выделенный отрывок в месте 100–104 | Добавлено", "– Ваша заметка в месте 104 | Добавлено"),
            ("- 5ページ|位置No. 100-104のハイライト |作成日", "- 5ページ|位置No. 104のメモ |作成日"),
            ("- 您在第 5 页（位置 #100-104）的标注 | 添加于 2024年", "- 您在第 5 页（位置 #104）的笔记 | 添加于 2024年"),
        ])
    func languages(highlight: String, note: String) throws {
        // The same page and a later location; the note belongs to the first passage.
        let other = highlight.replacing("100", with: "200").replacing("104", with: "204")
        let entries = [("A", highlight, "The river"), ("A", other, "begins")]
        let clippings = try books(entries + [("A", note, "Mine")]).first?.clippings
        #expect(clippings == [Clipping(quote: "The river", note: "Mine"), Clipping(quote: "begins")])
    }

    @Test("a note may stand before its highlight, and an entry that is repeated keeps its note")
    func noteBeforeHighlight() throws {
        let clippings = try books([
            ("A", "- Your Note on Location 104 | Added", "Mine"), ("A", "- Your Note on Location 300 | Added", "Alone"),
            ("A", "- Your Highlight on Location 90-103 | Added", "Before"),
            ("A", "- Your Highlight on Location 100-104 | Added", "The river"),
            ("A", "- Your Highlight on Location 100-104 | Added", "begins"),
            ("A", "- Your Note on Location 104 | Added", "Second"),
            ("A", "- Your Highlight on Location 100-104 | Added", "begins"),
        ]).first?.clippings
        #expect(
            clippings == [
                Clipping(quote: "Before"), Clipping(quote: "The river", note: "Mine"),
                Clipping(quote: "begins", note: "Second"),
            ])
    }

    @Test("a note without a highlight and an entry without a text are left out")
    func incomplete() throws {
        #expect(try books([("A", "- Your Note on page 5 | Location 102 | Added", "Mine")]) == [])
        let entries = [("A", "no dash", "x"), ("", "", ""), ("B", "- Your Highlight", "kept")]
        #expect(try books(entries).map(\.title) == ["B"])
    }
}
