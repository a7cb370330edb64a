/// The groups of rules by which mode best keeps and removes text, so that each can be left out and its worth measured.
public struct BestRules: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Texts of pictures become `figcaption`: they stay in the article and are no words of it.
    public static let captions = BestRules(rawValue: 1)
    /// Small boxes whose class says share, related, newsletter, advertisement, comments and the like go.
    public static let boxes = BestRules(rawValue: 1 << 1)
    /// Short lines that begin as no article does ("Read more:", "Follow us", "Advertisement") go.
    public static let phrases = BestRules(rawValue: 1 << 2)
    /// Lines that are links and nothing else go where they stand alone.
    public static let links = BestRules(rawValue: 1 << 3)
    /// Dates, authors, breadcrumbs, the title and labels before the first paragraph go.
    public static let lead = BestRules(rawValue: 1 << 4)
    /// The page's description before the first paragraph goes, which readers see as the excerpt, and what the page calls by a
    /// standfirst's name.
    public static let standfirst = BestRules(rawValue: 1 << 5)
    /// Weak lines behind the last paragraph go: authors, copyright, tags, headings of nothing.
    public static let tail = BestRules(rawValue: 1 << 6)
    /// Sections that are no more of the article ("Related", "Comments") go with what they hold.
    public static let sections = BestRules(rawValue: 1 << 7)
    /// Boxes, notes and headings that Readability takes out stay where they have sentences that a reader would miss.
    public static let pardon = BestRules(rawValue: 1 << 8)
    /// What a button of the page shows and hides is read.
    public static let disclosures = BestRules(rawValue: 1 << 9)
    /// A company's words about itself behind a release, and what follows a line that ends it, go.
    public static let company = BestRules(rawValue: 1 << 10)

    /// Where the page marks a text as its article's and another was found, the marked one is taken.
    public static let claims = BestRules(rawValue: 1 << 11)

    public static let all = named.reduce(into: BestRules()) { $0.formUnion($1.rule) }

    /// The rules by the names the command line knows them by, each with what it does.
    public static let named: [(name: String, rule: BestRules, does: String)] = [
        ("captions", .captions, "texts of pictures become figcaption"),
        ("boxes", .boxes, "small boxes go whose class says share, related, newsletter and the like"),
        ("phrases", .phrases, "short lines go that begin as no article does"),
        ("links", .links, "lines go that are links and nothing else"),
        ("lead", .lead, "dates, authors, labels and the title go before the first paragraph"),
        ("standfirst", .standfirst, "the page's description and its standfirst go before the first paragraph"),
        ("tail", .tail, "weak lines go behind the last paragraph"),
        ("sections", .sections, "sections that are no more of the article go"),
        ("company", .company, "a company's words about itself go from behind its release"),
        ("pardon", .pardon, "boxes and headings stay that Readability takes out, where they have sentences"),
        ("disclosures", .disclosures, "what a button shows and hides is read"),
        ("claims", .claims, "what the page marks as its article is taken where another was found"),
    ]

    /// The rule of a name, or nil.
    public init?(named name: String) {
        guard let rule = BestRules.named.first(where: { $0.name == name })?.rule else { return nil }
        self = rule
    }
}
