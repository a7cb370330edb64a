import HTML
import Testing

@testable import Readability

/// The article that users see for some markup in the middle of an article.
struct RichPage {
    let content: String
    let text: String

    init(_ inside: String, head: String = "", above: String = "") throws {
        let running = String(repeating: paragraph, count: 4)
        let found = try article(
            "\(above)<div class=article>\(running)\(inside)\(running)</div>", head: head, mode: .best)
        let article = try #require(found)
        text = article.textContent
        content = try Sanitizer(base: WebAddress("http://host.example/dir/page.html")).sanitize(article.content)
    }

    /// The URLs of its pictures, in order.
    var pictures: [String] { values(of: "<img src=\"") }
    var links: [String] { values(of: "href=\"") }

    private func values(of mark: String) -> [String] {
        var values: [String] = []
        var rest = Array(content.utf8)[...]
        while !rest.isEmpty {
            guard rest.starts(with: mark.utf8) else {
                rest = rest.dropFirst()
                continue
            }
            let value = rest.dropFirst(mark.utf8.count).prefix { $0 != UInt8(ascii: "\"") }
            values.append(String(decoding: value, as: UTF8.self))
            rest = rest[value.endIndex...]
        }
        return values
    }
}
