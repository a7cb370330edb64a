import Foundation

@testable import HTML

/// The HTML standard's conformance tests (html5lib-tests), if they exist next to the checkout.
enum ConformanceData {
    static let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/html5lib-tests").standardized

    /// Returns the names of a folder's files with an extension, without that extension.
    static func files(_ name: String, _ ending: String) -> [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)) ?? []
        if found.isEmpty { print("HTML / conformance: skipped, there is no folder \(folder.path)/\(name)") }
        return found.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }

    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
    }
}

/// A tree construction test, in the format that the files' README describes.
struct TreeCase {
    var data = ""
    var expected = ""
    /// The context element of a fragment: `div`, `svg path`.
    var fragment: String?
    /// Set if the test applies only with scripting on or off.
    var isScripted: Bool?

    static func all(in text: String) -> [TreeCase] {
        var cases: [TreeCase] = []
        var section = ""
        var lines: [String: [Substring]] = [:]
        func finish() {
            guard let data = lines["#data"] else { return }
            var found = TreeCase()
            found.data = data.joined(separator: "\n")
            var tree = lines["#document"] ?? []
            while tree.last?.isEmpty == true { tree.removeLast() }
            found.expected = tree.joined(separator: "\n")
            found.fragment = lines["#document-fragment"]?.first.map(String.init)
            if lines["#script-on"] != nil { found.isScripted = true }
            if lines["#script-off"] != nil { found.isScripted = false }
            cases.append(found)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "#data" {
                finish()
                lines = [:]
            }
            let isHeading = [
                "#data", "#errors", "#new-errors", "#document-fragment", "#script-on", "#script-off", "#document",
            ]
            .contains(String(line))
            if isHeading {
                section = String(line)
                lines[section] = []
            } else {
                lines[section, default: []].append(line)
            }
        }
        finish()
        return cases
    }

    /// Returns the tree that the parser builds, in the same notation.
    func result() throws -> String {
        guard let fragment else {
            let document = try Document(parsing: Array(data.utf8), budget: ParseBudget(), keepsComments: true)
            return TreeDump(document: document).dump(below: document.root)
        }
        var document = Document()
        let words = fragment.split(separator: " ")
        let kind: Document.Kind = words.count == 1 ? .html : words[0] == "svg" ? .svg : .math
        let root = try document.parseFragment(
            Array(data.utf8), budget: ParseBudget(), in: kind, named: String(words[words.count - 1]),
            keepsComments: true)
        return TreeDump(document: document).dump(below: root)
    }
}

/// Prints a document in the notation of the tree construction tests.
struct TreeDump {
    let document: Document

    func dump(below scope: NodeID, indent: Int = 0) -> String {
        var lines: [String] = []
        var depth = indent
        var current = document.firstChild(scope)
        while let node = current {
            write(node, depth, &lines)
            if let content = document.templateContent(node) {
                lines.append(line(depth + 1, "content"))
                let inner = dump(below: content, indent: depth + 2)
                if !inner.isEmpty { lines.append(inner) }
            }
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
        return lines.joined(separator: "\n")
    }

    private func line(_ depth: Int, _ text: String) -> String { "| " + String(repeating: "  ", count: depth) + text }

    private func write(_ node: NodeID, _ depth: Int, _ lines: inout [String]) {
        let bytes = document.bytes[document.extents[node.row].textRange(of: document.kinds[node.row])]
        let text = String(decoding: bytes, as: UTF8.self)
        switch document.kinds[node.row] {
        case .text: lines.append(line(depth, "\"\(text)\""))
        case .comment: lines.append(line(depth, "<!-- \(text) -->"))
        case .doctype:
            let doctype = document.doctype ?? Doctype()
            var ids = ""
            if !(doctype.publicID ?? "").isEmpty || !(doctype.systemID ?? "").isEmpty {
                ids = " \"\(doctype.publicID ?? "")\" \"\(doctype.systemID ?? "")\""
            }
            lines.append(line(depth, "<!DOCTYPE \(doctype.name ?? "")\(ids)>"))
        case .html, .svg, .math:
            let prefix = document.kinds[node.row] == .svg ? "svg " : document.kinds[node.row] == .math ? "math " : ""
            lines.append(line(depth, "<\(prefix)\(document.name(of: node))>"))
            let attributes = document.allAttributes(node).map { (name($0.name, isForeign: !prefix.isEmpty), $0.value) }
            for (name, value) in attributes.sorted(by: { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }) {
                lines.append(line(depth + 1, "\(name)=\"\(value)\""))
            }
        case .document, .fragment: break
        }
    }

    /// Writes the standard's adjusted foreign attributes with a separate namespace prefix.
    private func name(_ name: String, isForeign: Bool) -> String {
        let adjusted: Set = [
            "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
            "xml:lang", "xml:space", "xmlns:xlink",
        ]
        if isForeign, name == "xmlns" { return "xmlns xmlns" }
        return isForeign && adjusted.contains(name) ? name.replacingOccurrences(of: ":", with: " ") : name
    }
}

extension Document.Extent {
    /// Empty for elements, whose extent refers to attributes.
    fileprivate func textRange(of kind: Document.Kind) -> Range<Int> {
        kind == .text || kind == .comment ? range : 0..<0
    }
}
