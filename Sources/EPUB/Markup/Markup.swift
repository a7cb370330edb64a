/// A node of an XHTML document.
enum Markup: Equatable, Sendable {
    case element(MarkupElement)
    case text(String)

    /// An element without attributes or with a few.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [Markup] = []
    ) -> Markup {
        .element(
            MarkupElement(
                name, attributes: attributes.map { MarkupAttribute(name: $0.key, value: $0.value) }, children))
    }

    /// Whether the node is text of nothing but white space.
    var isBlank: Bool {
        guard case .text(let text) = self else { return false }
        return text.utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Whether a reader shows nothing of the node.
    var isInvisible: Bool {
        guard case .element(let element) = self else { return isBlank }
        return !["img", "hr", "math"].contains(element.name) && element.children.allSatisfy(\.isInvisible)
    }

    /// The element, if it has this name.
    func element(named name: String) -> MarkupElement? {
        guard case .element(let element) = self, element.name == name else { return nil }
        return element
    }

    /// The bytes that the node takes, roughly.
    var weight: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .element(let element): element.children.reduce(2 * element.name.utf8.count + 5) { $0 + $1.weight }
        }
    }
}

struct MarkupElement: Equatable, Sendable {
    var name: String
    var attributes: [MarkupAttribute]
    var children: [Markup]

    init(_ name: String, attributes: [MarkupAttribute] = [], _ children: [Markup] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    subscript(name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            attributes.removeAll { $0.name == name }
            if let newValue { attributes.append(MarkupAttribute(name: name, value: newValue)) }
        }
    }

    /// Whether no child is anything but white space.
    var isBlank: Bool { children.allSatisfy(\.isBlank) }
}

struct MarkupAttribute: Equatable, Sendable {
    var name: String
    var value: String
}
