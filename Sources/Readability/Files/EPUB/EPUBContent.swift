import HTML

/// The chapters of a book, joined to one text. References between them become references inside the text.
struct EPUBContent {
    /// Not yet sanitised.
    private(set) var html = ""
    var isEmpty: Bool { html.isEmpty }

    private let package: EPUBPackage
    private let budget: ParseBudget
    private var pictures: EPUBPictures
    /// The place of each chapter.
    private let places: [String: Int]

    /// The longest text without pictures, in bytes: some hundred thousand words.
    private static let maxBytes = 4_000_000

    init(_ package: EPUBPackage, _ pictures: EPUBPictures, budget: ParseBudget) {
        self.package = package
        self.pictures = pictures
        self.budget = budget
        places = Dictionary(package.chapters.indices.map { (package.chapters[$0].path, $0) }) { first, _ in first }
    }

    /// Adds a chapter.
    ///
    /// - Returns: false where it is too large, or the text would be.
    mutating func add(_ chapter: [UInt8], at place: Int) -> Bool {
        guard var document = try? Document(parsing: XHTML.asHTML(chapter), budget: budget),
            let body = document.first([.body], below: document.root)
        else { return false }
        let path = package.chapters[place].path
        for node in document.elements(below: body, where: { _ in true }) {
            if let id = document.attribute(node, .id) { document.set(node, .id, to: Self.id(place, id)) }
            // The article has a title of its own, the only heading of the first rank.
            if document.tag(node) == .h1 { document.rename(node, to: .h2) }
            if document.tag(node) == .img { embed(node, in: &document, from: path) }
            guard document.tag(node) == .a, let reference = document.attribute(node, .href) else { continue }
            if let target = EPUBPath.resolve(reference, from: path) {
                if let chapter = places[target.path] {
                    document.set(node, .href, to: "#" + Self.id(chapter, target.fragment))
                } else {
                    document.remove(node, .href)
                }
            }
        }
        var text = Serializer.innerHTML(document, of: body)
        let hasHeading = document.contains([.h2, .h3, .h4, .h5, .h6], below: body)
        if !hasHeading, let title = package.chapters[place].title, !document.isBlank(body) {
            var heading = Document()
            let element = heading.makeElement(.h2)
            heading.append(heading.makeText(title), to: element)
            heading.append(element, to: heading.root)
            text = Serializer.innerHTML(heading, of: heading.root) + text
        }
        guard html.utf8.count + text.utf8.count - pictures.bytes <= Self.maxBytes else { return false }
        html += "<div id=\"\(Self.id(place, nil))\">\(text)</div>\n"
        return true
    }

    /// Gives a picture of the book its bytes as address. One that does not fit is left out.
    private mutating func embed(_ node: NodeID, in document: inout Document, from path: String) {
        guard let source = document.attribute(node, .src), let part = EPUBPath.resolve(source, from: path)?.path
        else { return }
        guard let address = pictures.address(of: part) else { return document.detach(node) }
        document.set(node, .src, to: address)
        document.remove(node, .srcset)
    }

    /// Chapters may have the same ids.
    private static func id(_ place: Int, _ fragment: String?) -> String {
        fragment.map { "part\(place + 1)-\($0)" } ?? "part\(place + 1)"
    }
}

/// Pages in XHTML.
enum XHTML {
    /// Elements that HTML never closes by a tag of their own.
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]

    /// The page as an HTML parser understands it: an empty element such as `<a id="x"/>` gets an end tag, without which
    /// it would contain the rest of the page.
    static func asHTML(_ page: [UInt8]) -> [UInt8] {
        var html: [UInt8] = []
        html.reserveCapacity(page.count)
        var position = 0
        while position < page.count {
            let byte = page[position]
            html.append(byte)
            position += 1
            guard byte == UInt8(ascii: "<"), let end = tagEnd(page, from: position),
                page[end - 1] == UInt8(ascii: "/"), end > position
            else { continue }
            let name = page[position..<end].prefix { isNameByte($0) }
            let text = String(decoding: name, as: UTF8.self).lowercased()
            if !name.isEmpty, !void.contains(text), !text.contains(":") {
                html += page[position..<(end - 1)] + [UInt8(ascii: ">")] + Array("</\(text)>".utf8)
                position = end + 1
            }
        }
        return html
    }

    /// The place of the bracket that ends a tag with a name; nil for anything else. Tags are short.
    private static func tagEnd(_ page: [UInt8], from start: Int) -> Int? {
        guard start < page.count, isNameByte(page[start]) else { return nil }
        var quote: UInt8?
        for place in start..<min(page.count, start + 4_096) {
            let byte = page[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return place
            } else if byte == UInt8(ascii: "<") {
                return nil
            }
        }
        return nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "-")
    }
}
