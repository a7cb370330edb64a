import ArgumentParser
import HTML
import JSON
import Readability
import Text

/// `lectern extract`: extracts the article of a page on standard input, or of many pages in NDJSON. Needs no home,
/// settings or network.
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Extract the article from an HTML page.",
        discussion: """
            Reads one UTF-8 page from standard input and prints its article as JSON, or null if it has none; other formats \
            then print nothing. With --batch, reads one page per line, {"id": …, "url": …, "html": …}, and prints one line \
            for each as soon as it is ready, in any order: {"id": …, article members}, {"id": …, "article": null, "reason": …} \
            or {"id": …, "error": …}. The reason is no_article, consent_wall, login_wall or bot_challenge; for a single page it \
            goes to standard error. For a subscribers' article the visible beginning is printed with the reason login_wall. \
            Needs no network, settings or database.
            """)

    /// The reason code of a page that exceeds the parser's budget; jobs use the same.
    static let overBudget = "over_budget"

    enum Format: String, ExpressibleByArgument, CaseIterable { case json, html, text, markdown }

    @Option(help: "URL of the page, to resolve relative links.")
    var url: String?

    @Flag(help: "Read one page per line as JSON and print one line for each.")
    var batch = false

    @Option(help: "Number of threads in batch mode (1 to 256).")
    var jobs = 1

    @Option(help: "compat: the result of Mozilla Readability; best: the result that users get.")
    var mode: ExtractionMode = .best

    @Option(name: .customLong("keep-class"), help: "Class name to keep in the article; may be repeated.")
    var keptClasses: [String] = []

    @Option(
        name: .customLong("without"),
        help: ArgumentHelp(
            "Rule of mode best to switch off, to measure its effect; may be repeated:",
            discussion: TrimmingRules.named.map { "\($0.name): \($0.does)" }.joined(separator: "; "), valueName: "rule")
    )
    var leftOut: [TrimmingRules] = []

    @Option(
        name: .customLong("weight"),
        help: ArgumentHelp(
            "Value of a number that mode best uses to compare parts of a page, to measure its effect; may be repeated:",
            discussion: RegionWeights.named.map(\.name).joined(separator: ", "), valueName: "name=number"))
    var weights: [RegionWeightSetting] = []

    @Flag(
        help: """
            Print for each block of the page whether it was kept or which rule removed it, with the numbers, instead of the \
            article. In batch mode, an additional member of each line.
            """)
    var explain = false

    @Option(
        help: """
            Output format. markdown begins with the article's metadata as YAML. In batch mode, markdown is an additional member \
            of each line, without the YAML.
            """)
    var format: Format = .json

    @Option(help: ArgumentHelp("Date of the bookmark, for the YAML of the Markdown.", valueName: "date"))
    var bookmarked: String?

    @Option(help: ArgumentHelp("Name of the source feed, for the YAML of the Markdown.", valueName: "name"))
    var feed: String?

    func validate() throws {
        if batch && url != nil {
            throw ValidationError("--url is for a single page; with --batch every line has its own url.")
        }
        if batch && format != .json && format != .markdown {
            throw ValidationError("--batch prints JSON, which includes the article's HTML and text.")
        }
        if !batch && url == nil {
            throw ValidationError("Give the URL of the page with --url, or many pages with --batch.")
        }
        if explain, mode != .best || format != .json {
            throw ValidationError("--explain needs mode best and prints JSON.")
        }
        if bookmarked != nil || feed != nil, batch || format != .markdown || mode != .best {
            throw ValidationError("--bookmarked and --feed need a single page, --format markdown and mode best.")
        }
        if let bookmarked,
            bookmarked.wholeMatch(of: /\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?/) == nil
        {
            throw ValidationError("--bookmarked takes a date such as 2026-05-04 or 2026-05-04T12:30:00Z.")
        }
        if !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256.") }
    }

    func run() throws {
        let rules = leftOut.reduce(into: TrimmingRules.all) { $0.subtract($1) }
        var extraction = Extraction(mode: mode, keptClasses: keptClasses, rules: rules)
        for setting in weights { extraction.weights[keyPath: setting.path] = setting.value }
        if batch {
            try ExtractBatch(extraction: extraction, withMarkdown: format == .markdown, explains: explain).run(
                threads: jobs)
        } else {
            try extractOne(with: extraction)
        }
    }

    private func extractOne(with extraction: Extraction) throws {
        // Input beyond the size limit is not read to its end, which may never come.
        let source = try StandardStreams.readAll(limit: ParseBudget().sourceBytes)
        let outcome: ExtractionOutcome
        do {
            let document = try Document(parsing: source)
            if explain {
                let said = extraction.explain(document, url: url ?? "")
                let reason = Self.reason(said.outcome).map { JSON.string($0) } ?? .null
                return try StandardStreams.write(
                    JSON.object([.init("reason", reason), .init("explanation", said.explanation.json())]).bytes + [0x0A]
                )
            }
            outcome = extraction.outcome(of: document, url: url ?? "")
            if let reason = Self.reason(outcome) {
                let what =
                    outcome.article == nil ? "the page has no article" : "the page shows only a part of its article"
                let kind = outcome.interstitial.map { $0.rawValue == reason ? "" : " (\($0.rawValue))" } ?? ""
                StandardStreams.printError("lectern: \(what): \(reason)\(kind)")
            }
        } catch {
            StandardStreams.printError("lectern: the page has no article: \(Self.overBudget)")
            outcome = ExtractionOutcome()
        }
        try StandardStreams.write(answer(outcome.article))
    }

    private func answer(_ article: Article?) -> [UInt8] {
        switch format {
        case .json: (article.map { JSON.object($0.members).bytes } ?? Array("null".utf8)) + [0x0A]
        case .html: Array(((article?.content ?? "") + "\n").utf8)
        case .text: Array(((article?.textContent ?? "") + "\n").utf8)
        // Markdown ends with a newline already.
        case .markdown: Array((article.map { frontMatter(of: $0) + Self.markdown($0) } ?? "\n").utf8)
        }
    }

    /// The reason code of a missing or partial article; nil for a complete one.
    static func reason(_ outcome: ExtractionOutcome) -> String? {
        outcome.interstitial?.code ?? (outcome.article == nil ? "no_article" : nil)
    }

    /// The metadata as YAML, with the names that PullRead uses; empty in mode compat.
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
        // Absolute URLs can make the article longer than its page, hence four times the budget; beyond that, plain
        // text.
        var budget = ParseBudget()
        budget.sourceBytes *= 4
        guard let document = try? Document(parsing: article.content, budget: budget) else { return article.textContent }
        return Markdown.render(document, document.body ?? document.root)
    }
}

extension ExtractionMode: ExpressibleByArgument {}

extension TrimmingRules: ExpressibleByArgument {
    public init?(argument: String) { self.init(named: argument) }
    public static var allValueStrings: [String] { named.map(\.name) }
}
