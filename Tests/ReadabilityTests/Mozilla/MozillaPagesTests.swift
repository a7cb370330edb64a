import Foundation
import HTML
import JSON
import Readability
import Testing

/// Mozilla's own test pages, if they are next to the checkout. They belong to their publishers and are not in the
/// repository.
enum MozillaPages {
    static let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/readability-pages").standardized

    static let names: [String] = {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let pages = found.filter {
            FileManager.default.fileExists(atPath: folder.appending(path: "\($0)/source.html").path)
        }
        if pages.isEmpty { print("Readability / Mozilla's pages: skipped, there is no folder \(folder.path)") }
        return pages.sorted()
    }()

    /// Pages whose result differs from Mozilla's. The list may only become shorter.
    static let different: Set<String> = []

    static func text(_ page: String, _ file: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: "\(page)/\(file)")), as: UTF8.self)
    }
}

/// A document as a list of comparable lines: elements with attributes and depth, texts with white space collapsed.
struct Outline {
    let lines: [String]

    init(_ html: String) throws {
        let document = try Document(parsing: html)
        let body = try #require(document.body)
        var lines: [String] = []
        document.forEachNode(below: body) { node in
            let depth = document.ancestors(node).count
            if document.isText(node) {
                let text = document.textContent(node).split(whereSeparator: \.isWhitespace).joined(separator: " ")
                if !text.isEmpty { lines.append("\(depth) “\(text)”") }
            } else {
                let attributes = document.allAttributes(node).map { attribute in
                    let value = attribute.value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    return "\(attribute.name)=\(value)"
                }
                lines.append("\(depth) <\(document.name(of: node)) \(attributes.sorted().joined(separator: " "))>")
            }
        }
        self.lines = lines
    }

    /// Describes the first difference between two outlines.
    func firstDifference(from expected: Outline) -> String? {
        for (index, (mine, theirs)) in zip(lines, expected.lines).enumerated() where mine != theirs {
            return "node \(index): \(mine), expected \(theirs)"
        }
        return lines.count == expected.lines.count ? nil : "\(lines.count) nodes, expected \(expected.lines.count)"
    }
}

@Suite(
    "Readability / Mozilla's pages", .enabled(if: !MozillaPages.names.isEmpty, "the pages are not next to the checkout")
)
struct MozillaPagesTests {
    @Test("article and metadata equal Mozilla's, node by node", arguments: MozillaPages.names)
    func page(name: String) throws {
        let document = try Document(parsing: try MozillaPages.text(name, "source.html"))
        let extraction = Extraction(mode: .compat, keptClasses: ["caption"])
        let article = try #require(extraction.article(in: document, url: "http://fakehost/test/page.html"))
        let difference =
            try Outline(article.content).firstDifference(from: try Outline(MozillaPages.text(name, "expected.html")))
            ?? metadataDifference(article, try MozillaPages.text(name, "expected-metadata.json"))
        if MozillaPages.different.contains(name) {
            #expect(difference != nil, "\(name) passes now: take it off the list")
        } else {
            #expect(difference == nil)
        }
    }

    /// Direction, language and time are compared only if Mozilla expects a value, as in its own tests.
    private func metadataDifference(_ article: Article, _ expected: String) -> String? {
        let expected = JSON(parsing: expected.utf8)
        let mine = JSON.object(article.members)
        for key in ["title", "byline", "excerpt", "siteName", "dir", "lang", "publishedTime", "readerable"] {
            let wanted = expected?[key] ?? .null
            if wanted == .null && ["dir", "lang", "publishedTime"].contains(key) { continue }
            if mine[key] != wanted { return "\(key): \(mine[key] ?? .null), expected \(wanted)" }
        }
        return nil
    }
}
