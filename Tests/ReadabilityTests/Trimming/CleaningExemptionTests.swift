import Testing

@testable import Readability

@Suite("Readability / cleaning exemptions")
struct CleaningExemptionTests {
    @Test("notes in the middle and headings in boxes are exempt from cleaning; links are not")
    func exemption() throws {
        let note = "In winter the ferry goes at seven, and not at all when there is ice. MARK"
        #expect(try TrimmedPage(inside: "<aside><p>\(note)</p></aside>").textHasMark)
        #expect(
            try TrimmedPage(inside: "<div class=heading><h2>MARK</h2><a class=anchor href='#m'></a></div>").textHasMark)
        #expect(
            try !TrimmedPage(inside: "<aside><p>\(note)</p></aside>", rules: .all.subtracting(.exemptions)).textHasMark)
        #expect(try !TrimmedPage(inside: "<aside><a href=/x>\(note)</a></aside>").textHasMark)
        #expect(try !TrimmedPage(inside: "<aside class=newsletter><p>\(note)</p></aside>").textHasMark)
    }
}
