import Testing

@testable import Readability

@Suite("Readability / task lists")
struct TaskListsTests {
    @Test("the check boxes of task lists are text, and those of filters are removed")
    func boxes() throws {
        let page = try RichPage(
            "<ul><li><input type=checkbox disabled checked> \(sentence)"
                + "<li><input type=checkbox disabled> \(sentence)</ul>"
                + "<ul><li><input type=checkbox> \(sentence)</ul>")
        #expect(page.content.contains("<li>☑ ") && page.text.contains("☑ "))
        #expect(page.content.split(separator: "☐").count == 2)
    }
}
