/// Writes XML. Every element is closed and every text escaped, so that no ill-formed document can be written.
struct MarkupWriter {
    private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n".utf8)
    /// The place of each id of the book: links within the book lead to the file that holds their target.
    private let files: [String: String]
    /// The file that is written.
    private let file: String

    init(file: String = "", files: [String: String] = [:]) {
        self.file = file
        self.files = files
    }

    /// Elements that have no content and are written as one tag.
    private static let void: Set<String> = [
        "br", "hr", "img", "wbr", "col", "meta", "link", "item", "itemref", "content", "reference", "mspace",
        "mprescripts", "none", "rootfile",
    ]

    mutating func write(_ nodes: [Markup]) {
        for node in nodes { write(node) }
    }

    mutating func write(_ node: Markup) {
        switch node {
        case .text(let text): XMLText.append(text, to: &bytes)
        case .element(let element): write(element)
        }
    }

    mutating func writeRaw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func write(_ element: MarkupElement) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: element.name.utf8)
        for attribute in element.attributes {
            guard let value = value(of: attribute) else { continue }
            bytes.append(UInt8(ascii: " "))
            bytes.append(contentsOf: attribute.name.utf8)
            bytes.append(contentsOf: "=\"".utf8)
            XMLText.append(value, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
        if element.children.isEmpty, Self.void.contains(element.name) {
            bytes.append(contentsOf: "/>".utf8)
            return
        }
        bytes.append(UInt8(ascii: ">"))
        write(element.children)
        bytes.append(contentsOf: "</".utf8)
        bytes.append(contentsOf: element.name.utf8)
        bytes.append(UInt8(ascii: ">"))
    }

    /// The value of an attribute; nil for a link to a target that the book does not have.
    private func value(of attribute: MarkupAttribute) -> String? {
        guard attribute.name == "href", attribute.value.hasPrefix("#") else { return attribute.value }
        guard let holder = files[String(attribute.value.dropFirst())] else { return nil }
        return holder == file ? attribute.value : holder + attribute.value
    }
}
