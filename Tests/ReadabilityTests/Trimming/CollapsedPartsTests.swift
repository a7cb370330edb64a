import Testing

@testable import Readability

@Suite("Readability / disclosures")
struct CollapsedPartsTests {
    @Test("a part that a button shows and hides is opened, with the button as its heading")
    func disclosures() throws {
        let answer = "Yes, dogs are carried, and so are cats, if somebody holds them all the way. MARK"
        let pages = [
            "<button aria-expanded=false>May dogs come?</button><div hidden><p>\(answer)</p></div>",
            "<h3><button aria-controls=a1>May dogs come?</button></h3><div id=a1 style='display:none'><p>\(answer)</p></div>",
        ]
        for page in pages {
            let read = try TrimmedPage(inside: page)
            #expect(read.textHasMark && read.article.textContent.contains("May dogs come?"))
        }
        let menu = "<button aria-expanded=false>Menu</button><div hidden><a href=/x>MARK</a></div>"
        #expect(try !TrimmedPage(inside: menu).article.textContent.contains("Menu"))
    }
}
