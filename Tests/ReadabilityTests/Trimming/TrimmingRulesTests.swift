import HTML
import Readability
import Testing

@Suite("Readability / rules of mode best")
struct TrimmingRulesTests {
    @Test("every rule has a unique name and a description")
    func named() {
        #expect(Set(TrimmingRules.named.map(\.name)).count == TrimmingRules.named.count)
        #expect(TrimmingRules.named.allSatisfy { !$0.does.isEmpty && TrimmingRules(named: $0.name) == $0.rule })
        #expect(TrimmingRules(named: "nothing") == nil)
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
