import HTML

/// A parsed page as text, with one line per element or text node, for comparison with a browser's tree.
enum Tree {
    static func lines(of document: Document) -> String {
        var lines: [String] = []
        // A template's content is a separate tree.
        var pending: [(scope: NodeID, depth: Int)] = [(document.root, 0)]
        while let (scope, base) = pending.popLast() {
            lines.append("\(base) scope")
            var depth = base
            var current = document.firstChild(scope)
            while let node = current {
                lines.append("\(depth) \(described(node, document))")
                if let content = document.templateContent(node) { pending.append((content, depth + 1)) }
                if let child = document.firstChild(node) {
                    depth += 1
                    current = child
                    continue
                }
                var closing = node
                while document.nextSibling(closing) == nil, let parent = document.parent(closing), parent != scope {
                    closing = parent
                    depth -= 1
                }
                current = document.nextSibling(closing)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func described(_ node: NodeID, _ document: Document) -> String {
        if document.isText(node) { return "\"\(document.textContent(node))\"" }
        let prefix = document.isSVG(node) ? "svg " : document.isForeign(node) ? "math " : ""
        let attributes = document.allAttributes(node).map { " \($0.name)=\"\($0.value)\"" }.sorted()
        return "<\(prefix)\(document.name(of: node))\(attributes.joined())>"
    }
}
