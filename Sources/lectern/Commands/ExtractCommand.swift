import ArgumentParser
import HTML
import Readability
import Text

/// `lectern extract`: the article of a page on standard input, or of many pages in NDJSON. Needs no home, no settings, no
/// network.
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Take the article out of an HTML page.",
        discussion: """
            Reads one page in UTF-8 on standard input and prints its article as JSON, or null where it has none; in another \
            format nothing. With --batch reads one page a line, {"id": …, "url": …, "html": …}, and answers a line each, in any \
            order, as soon as it is ready: {"id": …, and the article}, {"id": …, "article": null, "reason": …} or {"id": …, \
            "error": …}. The reason is no_article, consent_wall, login_wall or bot_challenge; one page's goes to standard error. \
            Of an article for subscribers the beginning is printed, with the reason login_wall. Needs no network, settings or \
            database.
            """)

    /// Why a page was not parsed, as jobs name it.
    static let overBudget = "over_budget"

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

    @Option(
        name: .customLong("without"),
        help: ArgumentHelp(
            "A rule of mode best that is left out; may be given several times. To see what it is worth:",
            discussion: BestRules.named.map { "\($0.name): \($0.does)" }.joined(separator: "; "), valueName: "rule"))
    var leftOut: [BestRules] = []

    @Option(
        help: """
            What to print of one page; markdown has what is known of the article as YAML at its head. In batch mode markdown is a \
            further member of each answer, without that.
            """)
    var format: Format = .json

    @Option(help: ArgumentHelp("When the page was bookmarked, for the head of its Markdown.", valueName: "date"))
    var bookmarked: String?

    @Option(help: ArgumentHelp("The feed that it came from, for the head of its Markdown.", valueName: "name"))
    var feed: String?

    func validate() throws {
        if batch && url != nil { throw ValidationError("--url is for one page; in a batch every line has its own.") }
        if batch && format != .json && format != .markdown {
            throw ValidationError("--batch answers in JSON, which has the article's HTML and text.")
        }
        if !batch && url == nil {
            throw ValidationError("Give the page's address with --url, or many pages with --batch.")
        }
        if bookmarked != nil || feed != nil, batch || format != .markdown || mode != .best {
            throw ValidationError("--bookmarked and --feed are for the Markdown of one page in mode best.")
        }
        if let bookmarked, bookmarked.wholeMatch(of: /\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?/) == nil {
            throw ValidationError("--bookmarked takes a date such as 2026-05-04 or 2026-05-04T12:30:00Z.")
        }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256.") }
    }

    func run() throws {
        let rules = leftOut.reduce(into: BestRules.all) { $0.subtract($1) }
        let extraction = Extraction(mode: mode, keptClasses: keptClasses, rules: rules)
        if batch {
            try ExtractBatch(extraction: extraction, withMarkdown: format == .markdown).run(threads: jobs)
        } else {
            try extractOne(with: extraction)
        }
    }

    private func extractOne(with extraction: Extraction) throws {
        // One that is larger than any page is not read to its end, which may never come.
        let source = try StandardStreams.readAll(most: ParseBudget().sourceBytes)
        let outcome: ExtractionOutcome
        do {
            outcome = extraction.outcome(of: try Document(parsing: source), url: url ?? "")
            if let reason = Self.reason(outcome) {
                let what = outcome.article == nil ? "the page has no article" : "the page has a part of its article"
                let kind = outcome.interstitial.map { $0.rawValue == reason ? "" : " (\($0.rawValue))" } ?? ""
                StandardStreams.complain("lectern: \(what): \(reason)\(kind)")
            }
        } catch {
            StandardStreams.complain("lectern: the page has no article: \(Self.overBudget)")
            outcome = ExtractionOutcome()
        }
        try StandardStreams.write(answer(outcome.article))
    }

    private func answer(_ article: Article?) -> [UInt8] {
        switch format {
        case .json: (article.map { JSON.object($0.members).bytes } ?? Array("null".utf8)) + [0x0A]
        case .html: Array(((article?.content ?? "") + "\n").utf8)
        case .text: Array(((article?.textContent ?? "") + "\n").utf8)
        // Its last line has an end.
        case .markdown: Array((article.map { frontMatter(of: $0) + Self.markdown($0) } ?? "\n").utf8)
        }
    }

    /// Why there is no article, or not all of it, as a class of the interface; nil where nothing is missing.
    static func reason(_ outcome: ExtractionOutcome) -> String? {
        outcome.interstitial?.code ?? (outcome.article == nil ? "no_article" : nil)
    }

    /// What is known of the article; the names are those PullRead writes. Readability's answer alone has none.
    private func frontMatter(of article: Article) -> String {
        guard let facts = article.facts else { return "" }
        var front = FrontMatter()
        front.add("title", article.title)
        front.add("url", url)
        front.add("bookmarked", bookmarked)
        front.add("domain", facts.domain)
        front.add("feed", feed)
        front.add("site", article.siteName)
        front.add("author", article.byline)
        front.add("published", facts.publishedAt)
        front.add("excerpt", article.excerpt)
        front.add("lang", article.lang)
        front.add("categories", facts.categories)
        front.add("image", facts.image)
        front.add("enclosure_url", facts.enclosure?.url)
        front.add("enclosure_type", facts.enclosure?.type)
        front.add("enclosure_duration", facts.enclosure?.duration)
        return front.yaml
    }

    static func markdown(_ article: Article) -> String {
        // Addresses made absolute may make the article longer than its page; beyond this, too, its text is the better answer.
        var budget = ParseBudget()
        budget.sourceBytes *= 4
        guard let document = try? Document(parsing: article.content, budget: budget) else { return article.textContent }
        return Markdown.render(document, document.body ?? document.root)
    }
}

extension Mode: ExpressibleByArgument {}

extension BestRules: ExpressibleByArgument {
    public init?(argument: String) { self.init(named: argument) }
    public static var allValueStrings: [String] { named.map(\.name) }
}
