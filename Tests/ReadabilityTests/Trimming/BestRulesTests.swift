import HTML
import Readability
import Testing

@Suite("Readability / rules of mode best")
struct BestRulesTests {
    @Test("every rule has a unique name and a description")
    func named() {
        #expect(Set(BestRules.named.map(\.name)).count == BestRules.named.count)
        #expect(BestRules.named.allSatisfy { !$0.does.isEmpty && BestRules(named: $0.name) == $0.rule })
        #expect(BestRules(named: "nothing") == nil)
    }

    @Test("a rule that is switched off removes nothing")
    func leftOut() throws {
        let line = "<p>Read more: MARK</p>"
        #expect(try !TrimmedPage(inside: line).textHasMark)
        #expect(try TrimmedPage(inside: line, rules: .all.subtracting(.phrases)).textHasMark)
        #expect(
            try TrimmedPage(before: "<p>By MARK</p>", inside: line, rules: []).article.textContent.hasPrefix("By MARK"))
    }

    @Test("mode compat ignores the rules")
    func compat() throws {
        let page = try Document(
            parsing: "<article><p>Read more: MARK, and a sentence. Then another one, which is longer.</p></article>")
        #expect(Extraction(mode: .compat).article(in: page, url: "")?.textContent.contains("MARK") == true)
    }
}
