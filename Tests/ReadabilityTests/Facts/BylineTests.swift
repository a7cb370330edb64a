import Testing

@testable import Readability

@Suite("Readability / bylines")
struct BylineTests {
    private let sites = SiteNames(["The Tidewater", "Harbour News"], host: "www.tidewater.example")

    @Test(
        "text around a name is removed",
        arguments: [
            ("By Jane Doe", "Jane Doe"), ("BY JANE DOE", "JANE DOE"), ("Written by: Jane Doe", "Jane Doe"),
            ("Jane Doe, Senior Reporter", "Jane Doe"),
            ("By Jane Doe for The Tidewater", "Jane Doe"), ("Jane Doe in Berlin", "Jane Doe"),
            ("Jane Doe | May 6, 2024", "Jane Doe"),
            ("By Jane Doe @janedoe", "Jane Doe"), ("By Jane Doe jane@tidewater.example", "Jane Doe"),
            ("Jane Doe (Reuters)", "Jane Doe"),
            ("Jane Doe, The Tidewater", "Jane Doe"), ("Jane Doe • Updated 3 hours ago", "Jane Doe"),
            ("By Jane Doe Staff Writer", "Jane Doe"), ("Jane Doe, Daily Press Published", "Jane Doe"),
            ("Kevin Coe USA TODAY Published", "Kevin Coe USA TODAY"),
            ("Karl Öz Aktualisiert am", "Karl Öz"),
            ("Von Wiebke Thorwald", "Wiebke Thorwald"), ("Autor: Karl-Heinz Öz", "Karl-Heinz Öz"),
            ("Par Anne-Lise d'Arcy", "Anne-Lise d'Arcy"), ("Por Juan Ortega y Gasset", "Juan Ortega y Gasset"),
            ("di Ugo Neri", "Ugo Neri"), ("Door Jan de Vries", "Jan de Vries"), ("Av Kari Nordmann", "Kari Nordmann"),
            ("Автор: Иван Петров", "Иван Петров"),
            ("作者：林晓禾", "林晓禾"), ("記者：王小明", "王小明"), ("文・山田太郎", "山田太郎"), ("홍길동 기자", "홍길동"),
            ("بقلم: سمير حداد", "سمير حداد"), ("מאת: דנה לוי", "דנה לוי"),
            ("J. K. Rowling", "J. K. Rowling"), ("Martin Luther King Jr.", "Martin Luther King Jr."),
            ("Post author By Jane Doe", "Jane Doe"), ("Posted byJane Doe", "Jane Doe"),
            ("Artikel von: Jane Doe", "Jane Doe"), ("Interview: Jane Doe", "Jane Doe"),
            ("Eingestellt von Jane Doe", "Jane Doe"), ("Jane Doe am 3.5.2024", "Jane Doe"),
            ("Jane Doe - January 5", "Jane Doe"), ("Jane DoeFollow The tides and more", "Jane Doe"),
            ("Juan DoeHace 3 horas", "Juan Doe"),
            ("Bynum Pareto", "Bynum Pareto"), ("Von der Leyen, Ursula", "der Leyen, Ursula"),
        ])
    func cleaned(written: String, expected: String) { #expect(Byline.line([written], sites: sites) == expected) }

    @Test(
        "of a link to an author's other articles, the name is left",
        arguments: [
            "View all posts by Jane Doe", "Jane Doe, View all posts by Jane Doe", "View all posts by Jane Doe →",
            "Zeige alle Beiträge von Jane Doe", "Alle Beiträge von Jane Doe anzeigen",
            "Jane Doe Alles von Jane Doe Kontakt", "Voir tous les articles par Jane Doe",
            "Voir tous les articles de Jane Doe", "Ver todas las entradas de Jane Doe",
            "Vedi tutti gli articoli di Jane Doe", "Visualizza tutti gli articoli di Jane Doe",
            "Alle berichten van Jane Doe bekijken", "Bekijk alle berichten van Jane Doe",
            "Ver todos os posts de Jane Doe",
            "Ver todos os artigos de Jane Doe", "Zobacz wszystkie wpisy Jane Doe",
            "Zobacz wszystkie wpisy, których autorem jest Jane Doe", "Просмотреть все записи автора Jane Doe",
            "Visa alla inlägg av Jane Doe", "Jane Doe tarafından yazılan tüm yazıları görüntüle",
            "Jane Doe の投稿をすべて表示", "查看 Jane Doe 的所有文章", "By View all posts by Jane Doe",
        ])
    func archiveLinks(written: String) { #expect(Byline.line([written], sites: sites) == "Jane Doe") }

    @Test(
        "labels, counters, dates and commenters are no names",
        arguments: [
            "Name", "Datum", "Anzahl der Kommentare", "5 Kommentare", "12 comments", "No comments",
            "Published on May 6",
            "Veröffentlicht am 6.5.2024", "Donnerstag", "Jane says:", "Anna sagt", "Eingestellt von Unknown",
            "Show all articles",
        ])
    func labels(written: String) { #expect(Byline.line([written], sites: sites) == nil) }

    @Test(
        "a job title right after initials, or at the end after a given name, is the surname",
        arguments: [
            ("Anna Writer", "Anna Writer"), ("By Anna Reporter", "Anna Reporter"),
            ("Anna Writer, Staff Reporter", "Anna Writer"),
            ("A. Writer", "A. Writer"), ("By J. K. Editor", "J. K. Editor"),
            ("J.R. Reporter, Staff Writer", "J.R. Reporter"),
            ("J.-P. Editor", "J.-P. Editor"), ("A. Writer and B. Editor", "A. Writer, B. Editor"),
            ("A. Writer Staff Reporter", "A. Writer"), ("A. Foto", "A. Foto"),
        ])
    func surnames(written: String, expected: String) { #expect(Byline.line([written], sites: sites) == expected) }

    @Test(
        "a job title after a name or at the beginning is no part of the name",
        arguments: [
            ("Jane D. Editor", "Jane D."), ("Jane Doe Writer", "Jane Doe"), ("Jane writer", "Jane"),
            ("Jane Staff Writer", "Jane"), ("ABC Writer", "ABC"), ("Guest Writer", nil), ("Web Editor", nil),
            ("Jane Doe, Online Editor", "Jane Doe"), ("Sports Editor", "Sports"),
            ("A Staff Writer", nil), ("Writer A.", nil),
        ] as [(String, String?)])
    func jobTitles(written: String, expected: String?) { #expect(Byline.line([written], sites: sites) == expected) }

    @Test(
        "several authors are joined by commas, each once",
        arguments: [
            (["Jane Doe and John Roe"], "Jane Doe, John Roe"),
            (["By Jane Doe, John Roe & Mia Moe"], "Jane Doe, John Roe, Mia Moe"),
            (["Jane Doe", "JANE DOE", "John Roe"], "Jane Doe, John Roe"),
            (["Jane Doe und Karl Öz"], "Jane Doe, Karl Öz"),
            (["Jane Doe; John Roe"], "Jane Doe, John Roe"), (["林晓禾、王小明"], "林晓禾, 王小明"),
            (["Jane and John Doe"], "Jane and John Doe"),
        ])
    func several(written: [String], expected: String) { #expect(Byline.line(written, sites: sites) == expected) }

    @Test(
        "a text without a person's name yields no byline",
        arguments: [
            "admin", "Staff", "The Tidewater", "tidewater", "https://tidewater.example/jane", "www.tidewater.example",
            "jane@tidewater.example", "@jane", "portrait.jpg", "Photo by Jane Doe", "Foto: Jane Doe", "写真 山田太郎",
            "6 May 2024", "", "  ", "By", "null", "Staff Reporter", "•", "S.", String(repeating: "a word ", count: 100),
        ])
    func nobody(written: String) { #expect(Byline.line([written], sites: sites) == nil) }
}
