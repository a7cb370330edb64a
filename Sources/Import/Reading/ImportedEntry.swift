import JSON

/// One entry of an imported file, as it is staged. Texts are decoded and cut to what a link can hold.
struct ImportedEntry: Equatable, Sendable {
    /// A row of a personal export.
    struct Row: Equatable, Sendable {
        var kind: String
        var row: JSON
    }

    /// A highlighted passage.
    struct Passage: Equatable, Sendable {
        var quote: String
        var note: String?
        /// Microseconds since 1970.
        var time: Int?
        var color: String?
    }

    /// A document of a personal export.
    struct Document: Equatable, Sendable {
        /// SHA-256 of the content, in hexadecimal.
        var hash: String
        var kind: DocumentKind
        var name: String
        /// The name of the file in the archive.
        var path: String

        var url: String { "urn:sha256:" + hash }
    }

    var url: String?
    var title: String?
    var description: String?
    /// Whether the title and the description are as a client sent them, so that entities in them are still to be decoded
    /// where they are shown (`title_is_text` and `description_is_text` of `public.links`).
    var hasRawTitle = false
    var hasRawDescription = false
    /// When it was saved, in microseconds since 1970; nil: unknown.
    var time: Int?
    var isArchived = false
    var isRead = false
    var isStarred = false
    var tags: [String] = []
    /// Collections as the names from the outermost to the one that holds the link.
    var collections: [[String]] = []
    var note: String?
    var passages: [Passage] = []
    /// The article as HTML.
    var html: String?
    /// Whether it is Markdown instead.
    var isMarkdown = false
    var lang: String?
    /// The direction of the article: `ltr`, `rtl` or `auto`.
    var direction: String?
    var byline: String?
    var siteName: String?
    var image: String?
    /// Microseconds since 1970.
    var published: Int?
    /// Microseconds since 1970: of the last change, and of archiving.
    var changed: Int?
    var archived: Int?
    /// The file that the entry is itself.
    var document: Document?
    /// Whether texts are kept as they are, with their line ends.
    var isExact = false
    /// Whether the address may be any that a client can save, because the file is an export of Lectern.
    var takesAnyAddress = false
    /// Whether the rules of the account do not meet the link any more.
    var hasMetRules = false
    var hasFavoriteNote = false
    /// Rows of a personal export that are stored as they are, each with its kind; see `private.add_to_links` and
    /// `private.add_to_account`.
    var rows: [Row] = []
    /// Whether this adds to a link that another entry names, or to the account, and is no row of the file.
    var isAddition = false
    /// Why it cannot be imported.
    var problem: String?

    init(url: String? = nil, title: String? = nil) {
        self.url = url
        self.title = title
    }
}

extension ImportedEntry {
    /// The reason the address cannot be imported; nil for a URL with http or https.
    static func problem(of url: String?) -> String? {
        guard let url, !url.isEmpty else { return "The entry has no address." }
        guard url.utf8.count <= maxURL else { return "The address is longer than 8,192 bytes." }
        guard let colon = url.firstIndex(of: ":"), url[..<colon].allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
            return "This is not a web address: it does not begin with http:// or https://."
        }
        let scheme = url[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else {
            return "Addresses that begin with '\(scheme.prefix(40)):' cannot be saved, only http and https."
        }
        let rest = url[url.index(after: colon)...]
        guard rest.hasPrefix("//"), let host = rest.dropFirst(2).first, host != "/", host != "?", host != "#" else {
            return "The address has no host."
        }
        return nil
    }

    /// The reason the address of an export of Lectern cannot be imported.
    private static func problem(ofSaved url: String?) -> String? {
        guard let url, !url.isEmpty else { return "The entry has no address." }
        if url.hasPrefix("urn:sha256:") { return "The file of this document is not in the export." }
        if url.utf8.contains(0) { return "The address contains a NUL character." }
        guard url.utf8.count <= maxSavedURL || url.unicodeScalars.count <= maxSavedURL else {
            return "The address is longer than 65,536 characters."
        }
        return nil
    }

    private static let maxURL = 8_192
    /// The limit of `public.links.raw_url`, in code points.
    private static let maxSavedURL = 65_536
    /// The limits of `public.links`, `tags`, `collections`, `notes` and `highlights`, in code points.
    private static let (maxTitle, maxDescription, maxNote, maxPassage) = (10_000, 100_000, 1_000_000, 20_000)
    private static let (maxTag, maxCollection, maxTags, maxDepth) = (100, 200, 500, 20)
    private static let (maxPassages, maxHTML) = (5_000, 10 << 20)
    /// Code points of a name that are read; there may be blanks around it.
    private static let maxReadName = 1_000

    /// The entry as JSON for `private.save_import_entries`.
    var staged: JSON {
        var members: [JSON.Member] = []
        func add(_ key: String, _ text: String?, _ limit: Int) {
            if let text = text.map({ Self.clean($0, limit) }), !text.isEmpty {
                members.append(.init(key, .string(text)))
            }
        }
        func add(_ key: String, _ flag: Bool) { if flag { members.append(.init(key, .bool(true))) } }
        func add(_ key: String, _ time: Int?) {
            if let time { members.append(.init(key, .number(Double(time)))) }
        }
        if let problem = reasonNotToSave {
            return .object([
                .init("problem", .string(Self.clean(problem, 1_000))), .init("addition", .bool(isAddition)),
            ])
        }
        add("title", isExact ? title : title.map(Self.line), Self.maxTitle)
        add("raw_title", hasRawTitle)
        add("description", description, Self.maxDescription)
        add("raw_description", hasRawDescription)
        add("time", time)
        add("archived", isArchived)
        add("read", isRead)
        add("starred", isStarred)
        add("addition", isAddition)
        add("has_met_rules", hasMetRules)
        add("any_address", takesAnyAddress)
        add("note", note, Self.maxNote)
        add("note_is_favorite", hasFavoriteNote)
        members += rows.map { .init($0.kind, $0.row) }
        add("lang", lang, 100)
        add("byline", byline.map(Self.line), 1_000)
        add("site_name", siteName.map(Self.line), 1_000)
        add("published", published)
        add("changed", changed)
        add("archived_at", archived)
        if let image, Self.problem(of: image) == nil { add("image", image, Self.maxURL) }
        if let html, !html.isEmpty, html.utf8.count <= Self.maxHTML {
            add("html", isMarkdown ? frontMatter + html : page(of: html), .max)
            if isMarkdown { add("type", "text/markdown", 20) }
        }
        let tags = tags.map { Self.clean(Self.line($0), Self.maxTag) }.filter { !$0.isEmpty }
        if !tags.isEmpty { members.append(.init("tags", .array(tags.prefix(Self.maxTags).map(JSON.string)))) }
        let paths = collections.map { path in
            path.map { Self.clean(Self.line($0), Self.maxCollection) }.filter { !$0.isEmpty }.prefix(Self.maxDepth)
        }.filter { !$0.isEmpty }
        if !paths.isEmpty {
            members.append(.init("collections", .array(paths.map { .array($0.map(JSON.string)) })))
        }
        let passages = passages.compactMap(Self.staged)
        if !passages.isEmpty { members.append(.init("highlights", .array(Array(passages.prefix(Self.maxPassages))))) }
        return .object(members)
    }

    /// Whether this adds to the account and not to a link.
    var isOfAccount: Bool { isAddition && url == nil && !rows.isEmpty }

    /// Why the entry cannot be imported; nil where it can.
    var reasonNotToSave: String? {
        if isOfAccount { return nil }
        if document.map({ $0.url == url }) ?? (isAddition && url?.hasPrefix("urn:sha256:") == true) { return problem }
        return problem ?? (takesAnyAddress ? Self.problem(ofSaved: url) : Self.problem(of: url))
    }

    private func page(of article: String) -> String {
        var page = ArticleInPage(content: article)
        (page.title, page.author, page.description) = (title.map(Self.line), byline, description)
        (page.siteName, page.image, page.lang) = (siteName, image, lang)
        page.published = published.map(ImportTime.text)
        page.direction = direction
        return page.html
    }

    /// What is known of an article in Markdown, as its reader takes it from the beginning of a file. It is never empty, so
    /// that dashes at the beginning of the article are not taken for it.
    private var frontMatter: String {
        let values = [
            ("title", title, 1_000), ("author", byline, 1_000), ("description", description, 5_000),
            ("date", published.map(ImportTime.text), 100), ("site", siteName, 1_000), ("lang", lang, 100),
            ("dir", direction, 10),
        ]
        let lines = values.compactMap { name, value, limit in
            value.map { "\(name): \"\(Self.clean(Self.line($0), limit))\"\n" }
        }
        return "---\n\(lines.joined())---\n"
    }

    private static func staged(_ passage: Passage) -> JSON? {
        let quote = clean(passage.quote, maxPassage)
        guard !quote.isEmpty else { return nil }
        var members = [JSON.Member("quote", .string(quote))]
        let note = clean(passage.note ?? "", maxPassage)
        if !note.isEmpty { members.append(.init("note", .string(note))) }
        if let time = passage.time { members.append(.init("time", .number(Double(time)))) }
        let colors = ["yellow", "green", "blue", "pink", "purple", "orange"]
        if let color = passage.color?.lowercased(), colors.contains(color) {
            members.append(.init("color", .string(color)))
        }
        return .object(members)
    }

    /// Cuts names of tags and collections that are far longer than any that is kept: the folder of a million bookmarks
    /// would otherwise be read a million times.
    mutating func cutNames() {
        tags = tags.map(Self.cut)
        collections = collections.map { $0.map(Self.cut) }
    }

    private static func cut(_ name: String) -> String {
        name.utf8.count <= maxReadName ? name : String(name.unicodeScalars.prefix(maxReadName))
    }

    /// The address as it is staged.
    var stagedURL: String? {
        takesAnyAddress && reasonNotToSave == nil ? url : url.map { Self.clean($0, Self.maxURL) }
    }

    /// Text that PostgreSQL can store, without blanks around it, of at most so many code points.
    static func clean(_ text: String, _ limit: Int) -> String {
        var scalars = text.unicodeScalars[...]
        while let last = scalars.last, last.properties.isWhitespace || last == "\0" { scalars.removeLast() }
        while let first = scalars.first, first.properties.isWhitespace || first == "\0" { scalars.removeFirst() }
        if text.utf8.count > limit {
            scalars = scalars.prefix(limit)
            while let last = scalars.last, last.properties.isWhitespace || last == "\0" { scalars.removeLast() }
        }
        guard text.utf8.contains(0) else { return String(scalars) }
        return String(String.UnicodeScalarView(scalars.filter { $0 != "\0" }))
    }

    /// Text on one line.
    static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}
