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
            ("Bynum Pareto", "Bynum Pareto"), ("Von der Leyen, Ursula", "der Leyen, Ursula"),
        ])
    func cleaned(written: String, expected: String) { #expect(Byline.line([written], sites: sites) == expected) }

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
            "6 May 2024", "", "  ", "By", "null", "Staff Reporter", "•", String(repeating: "a word ", count: 100),
        ])
    func nobody(written: String) { #expect(Byline.line([written], sites: sites) == nil) }
}
