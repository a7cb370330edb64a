import Links

/// What an EPUB says about itself: its metadata, its chapters in reading order, and their titles.
struct EPUBPackage: Equatable {
    /// Why a file is not read as a book.
    enum Failure: Error, Equatable {
        case encrypted
        case damaged
        /// The book, or a part of it, is too large.
        case tooLarge
    }

    struct Chapter: Equatable {
        /// The path in the archive.
        var path: String
        /// From the table of contents.
        var title: String?
    }

    var title: String?
    var authors: [String] = []
    var lang: String?
    var date: String?
    var description: String?
    var publisher: String?
    var chapters: [Chapter] = []

    /// The longest book, in chapters.
    private static let maxChapters = 5_000

    /// - Parameter read: the content of a part, by its path in the archive; nil where there is none.
    init(_ read: (String) throws(Failure) -> [UInt8]?) throws(Failure) {
        guard let container = try read("META-INF/container.xml").map(XMLTags.init),
            let path = container.all.first(where: { $0.name == "rootfile" })?.attributes["full-path"],
            let package = try read(path).map(XMLTags.init)
        else { throw .damaged }
        title = package.text(of: "title")
        authors = Array(package.texts(of: "creator").prefix(20))
        lang = package.text(of: "language")
        date = package.text(of: "date")
        description = package.text(of: "description")
        publisher = package.text(of: "publisher")

        let items = package.all.filter { $0.name == "item" && !$0.isEnd }
        let byID = Dictionary(items.map { ($0.attributes["id"] ?? "", $0.attributes) }) { first, _ in first }
        let references = package.all.filter { $0.name == "itemref" && $0.attributes["linear"] != "no" }
        for reference in references.prefix(Self.maxChapters) {
            guard let item = byID[reference.attributes["idref"] ?? ""], Self.isPage(item),
                item["properties"]?.contains("nav") != true,
                let chapter = EPUBPath.resolve(item["href"] ?? "", from: path)?.path
            else { continue }
            chapters.append(Chapter(path: chapter))
        }
        guard !chapters.isEmpty else { throw .damaged }
        let encrypted = try read("META-INF/encryption.xml").map(Self.encryptedPaths) ?? []
        guard !chapters.contains(where: { encrypted.contains($0.path) }) else { throw .encrypted }

        let contents = items.first { $0.attributes["media-type"] == "application/x-dtbncx+xml" }
        if let contents = contents?.attributes["href"].flatMap({ EPUBPath.resolve($0, from: path)?.path }),
            let tags = try read(contents).map(XMLTags.init)
        {
            addTitles(from: tags, at: contents)
        }
    }

    private static func isPage(_ item: [String: String]) -> Bool {
        ["application/xhtml+xml", "text/html", "application/x-dtbook+xml"].contains(item["media-type"] ?? "")
    }

    /// The parts that are encrypted. Fonts may be, by methods that every reader knows; a chapter that is cannot be read.
    private static func encryptedPaths(_ file: [UInt8]) -> Set<String> {
        Set(
            XMLTags(file).all.filter { $0.name == "CipherReference" }
                .compactMap { EPUBPath.resolve($0.attributes["URI"] ?? "", from: "")?.path })
    }

    /// Takes the titles of the table of contents (NCX): a label, followed by the address of its chapter.
    private mutating func addTitles(from tags: XMLTags, at path: String) {
        var label = ""
        var titles: [String: String] = [:]
        for tag in tags.all where !tag.isEnd {
            if tag.name == "text" { label = tag.text }
            if tag.name == "content", let source = tag.attributes["src"],
                let target = EPUBPath.resolve(source, from: path)?.path, titles[target] == nil
            {
                titles[target] = label
            }
        }
        for place in chapters.indices { chapters[place].title = titles[chapters[place].path] }
    }
}

/// Addresses inside a book.
enum EPUBPath {
    /// The path in the archive and the fragment that a reference means; nil for a reference that leads out of the book.
    ///
    /// - Parameter base: the path of the part that has the reference.
    static func resolve(_ reference: String, from base: String) -> (path: String, fragment: String?)? {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let file = parts.first else { return (base, nil) }
        let fragment = parts.count > 1 ? PercentEncoding.decoded(String(parts[1])) : nil
        if file.isEmpty { return (base, fragment) }
        // A scheme ends the first segment with a colon.
        guard !file.prefix(while: { $0 != "/" }).contains(":"), !file.hasPrefix("//") else { return nil }
        var segments = file.hasPrefix("/") ? [] : base.split(separator: "/").dropLast().map(String.init)
        for segment in file.prefix(while: { $0 != "?" }).split(separator: "/") {
            switch segment {
            case ".": continue
            case "..":
                guard segments.popLast() != nil else { return nil }
            default: segments.append(PercentEncoding.decoded(String(segment)))
            }
        }
        return (segments.joined(separator: "/"), fragment)
    }
}
