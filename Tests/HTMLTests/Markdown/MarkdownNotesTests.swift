import HTML
import Testing

@Suite("HTML / Markdown notes")
struct MarkdownNotesTests {
    private func markdown(_ html: String) throws -> String {
        let document = try Document(parsing: html)
        return Markdown.render(document, try #require(document.body))
    }

    @Test("a note is defined at its position; its back-link is removed, and links that lead elsewhere stay")
    func notes() throws {
        let text =
            "<p>a<sup id=r><a href=#n>[1]</a></sup>, <a href=#n role=doc-noteref>1</a>, "
            + "<sup><a href=#gone>2</a></sup></p>"
        #expect(
            try markdown(text + "<ol><li id=n><p>b <a href=#r>↩</a><p>c <a href=#r>as said</a></ol>")
                == "a[^1], [^1], <sup>[2](#gone)</sup>\n\n[^1]: b\n\n    c as said\n")
        // A target inside a paragraph is not a note, and neither is the paragraph that contains the reference.
        #expect(try markdown("<p>a<sup><a href=#n>1</a></sup><p>b <b id=n>c</b>") == "a<sup>[1](#n)</sup>\n\nb **c**\n")
        #expect(try markdown("<div id=n>a<sup><a href=#n>1</a></sup></div>") == "a<sup>[1](#n)</sup>\n")
    }

    @Test(
        "the time for references and notes is proportional to their number",
        arguments: [
            ("<sup><a href=#i@>i</a></sup>w, ", "<a id=i@></a>"), ("<sup><a href=#i>i</a></sup>w, ", "<b></b>"),
            // Labels that collide with the generated numbers of other notes.
            ("<sup><a href=#i@>1@</a></sup><sup><a href=#j@>?</a></sup>", "<p id=i@>x<p id=j@>x"),
        ])
    func manyNotes(mark: String, note: String) throws {
        func numbered(_ text: String, _ count: Int) -> String {
            (0..<count).map { text.split(separator: "@", omittingEmptySubsequences: false).joined(separator: "\($0)") }
                .joined()
        }
        func seconds(_ count: Int) throws -> Double {
            let document = try Document(parsing: numbered(mark, count) + "<div id=i>" + numbered(note, count))
            return processorSeconds { _ = Markdown.render(document, document.root) }
        }
        _ = try seconds(100)
        // Sixteen times as many; quadratic time would be 256 times as long.
        #expect(try seconds(32_000) < seconds(2_000) * 80 + 0.2)
    }
}
