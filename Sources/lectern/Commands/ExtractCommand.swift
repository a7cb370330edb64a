import ArgumentParser
import HTML
import Readability

/// `lectern extract`: the article of a page on standard input, or of many pages in NDJSON. Needs no home, no settings, no
/// network.
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Take the article out of an HTML page.",
        discussion: """
            Reads one page on standard input and prints its article, or null. With --batch reads one page a line, \
            {"id": …, "url": …, "html": …}, and answers a line each, in any order.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, html, text, markdown }

    @Option(help: "Address of the page; its links are relative to it.")
    var url: String?

    @Flag(help: "Read one page a line as JSON and answer a line each.")
    var batch = false

    @Option(help: "Threads that work in batch mode (1 to 256).")
    var jobs = 1

    @Option(help: "compat: what Mozilla Readability would answer. best: what users get.")
    var mode: Mode = .best

    @Option(name: .customLong("keep-class"), help: "Class name that stays in the article; may be given several times.")
    var keptClasses: [String] = []

    @Option(help: "What to print of one page.")
    var format: Format = .json

    func validate() throws {
        if batch && format != .json { throw ValidationError("--batch answers in JSON only.") }
        if !batch && url == nil {
            throw ValidationError("Give the page's address with --url, or many pages with --batch.")
        }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256.") }
    }

    func run() throws {
        let extraction = Extraction(mode: mode, keptClasses: keptClasses)
        if batch {
            try ExtractBatch(extraction: extraction).run(threads: jobs)
        } else {
            try extractOne(with: extraction)
        }
    }

    private func extractOne(with extraction: Extraction) throws {
        let source = try StandardStreams.readAll()
        let article: Article?
        do {
            article = extraction.article(in: try Document(parsing: source), url: url ?? "")
        } catch {
            StandardStreams.complain("lectern extract: the page is beyond its budget (\(error))")
            article = nil
        }
        try StandardStreams.write(answer(article) + [0x0A])
    }

    private func answer(_ article: Article?) -> [UInt8] {
        switch format {
        case .json: article.map { JSON.object($0.members).bytes } ?? Array("null".utf8)
        case .html: Array((article?.content ?? "").utf8)
        case .text: Array((article?.textContent ?? "").utf8)
        case .markdown: Array((article.map(Self.markdown) ?? "").utf8)
        }
    }

    private static func markdown(_ article: Article) -> String {
        // The article's own HTML is far within the budget of a page; if it ever were not, its text is the better answer.
        guard let document = try? Document(parsing: article.content) else { return article.textContent }
        return Markdown.render(document, document.body ?? document.root)
    }
}

extension Mode: ExpressibleByArgument {}
