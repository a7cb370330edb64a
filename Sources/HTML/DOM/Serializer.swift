/// Writes nodes as HTML, following the standard's algorithm.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments
public struct Serializer: Sendable {
    /// Returns the HTML of everything below a node (`innerHTML`).
    public static func innerHTML(_ document: Document, of node: NodeID) -> String {
        String(decoding: bytes(document, below: node), as: UTF8.self)
    }

    public static func bytes(_ document: Document, below node: NodeID) -> [UInt8] {
        var output: [UInt8] = []
        // A template's content is a separate tree. The stacks hold the unfinished trees and the element to close after
        // each.
        var scopes: [(scope: NodeID, closing: NodeID?)] = [(node, nil)]
        var cursors: [NodeID?] = [document.firstChild(node)]
        while let current = cursors.last {
            guard let here = current else {
                cursors.removeLast()
                let finished = scopes.removeLast()
                if let element = finished.closing {
                    writeEnd(document, element, &output)
                    cursors[cursors.count - 1] = advance(
                        document, from: element, scope: scopes[scopes.count - 1].scope, &output)
                }
                continue
            }
            let scope = scopes[scopes.count - 1].scope
            if document.isElement(here) {
                writeStart(document, here, &output)
                if let content = document.templateContent(here) {
                    scopes.append((content, here))
                    cursors.append(document.firstChild(content))
                    continue
                }
                if let child = document.firstChild(here), !TagSet.void.contains(document.tag(here)) {
                    cursors[cursors.count - 1] = child
                    continue
                }
                if !TagSet.void.contains(document.tag(here)) { writeEnd(document, here, &output) }
            } else if document.isText(here) {
                writeText(document, here, &output)
            }
            cursors[cursors.count - 1] = advance(document, from: here, scope: scope, &output)
        }
        return output
    }

    /// Returns the node after `node`, and closes the elements that end before it.
    private static func advance(
        _ document: Document, from node: NodeID, scope: NodeID, _ output: inout [UInt8]
    ) -> NodeID? {
        var current = node
        while true {
            if let sibling = document.nextSibling(current) { return sibling }
            guard let parent = document.parent(current), parent != scope else { return nil }
            writeEnd(document, parent, &output)
            current = parent
        }
    }

    private static func writeStart(_ document: Document, _ element: NodeID, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "<"))
        output.append(
            contentsOf: document.elementNames.bytes[document.elementNames.range(of: document.names[element.row])])
        for row in document.extents[element.row].range {
            let attribute = document.attributes[row]
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: document.attributeNames.bytes[document.attributeNames.range(of: attribute.name)])
            output.append(contentsOf: "=\"".utf8)
            escape(document.bytes[attribute.value.range], inAttribute: true, &output)
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: ">"))
        // The parser drops one line feed after these start tags, so a text that starts with a line feed gets a second
        // one.
        if document.tag(element) == .pre || document.tag(element) == .textarea || document.tag(element) == .listing,
            let child = document.firstChild(element), document.isText(child),
            document.bytes[document.extents[child.row].range].first == 0x0A
        {
            output.append(0x0A)
        }
    }

    private static func writeEnd(_ document: Document, _ element: NodeID, _ output: inout [UInt8]) {
        output.append(contentsOf: "</".utf8)
        output.append(
            contentsOf: document.elementNames.bytes[document.elementNames.range(of: document.names[element.row])])
        output.append(UInt8(ascii: ">"))
    }

    private static func writeText(_ document: Document, _ node: NodeID, _ output: inout [UInt8]) {
        let text = document.bytes[document.extents[node.row].range]
        if let parent = document.parent(node), TagSet.rawText.contains(document.tag(parent)) {
            output.append(contentsOf: text)
        } else {
            escape(text, inAttribute: false, &output)
        }
    }

    private static func escape(_ text: ArraySlice<UInt8>, inAttribute: Bool, _ output: inout [UInt8]) {
        text.withUnsafeBufferPointer { bytes in
            var start = 0
            for index in bytes.indices {
                let replacement: StaticString
                switch bytes[index] {
                case UInt8(ascii: "&"): replacement = "&amp;"
                case UInt8(ascii: "<"): replacement = "&lt;"
                case UInt8(ascii: ">"): replacement = "&gt;"
                case UInt8(ascii: "\"") where inAttribute: replacement = "&quot;"
                case 0xA0 where index > start && bytes[index - 1] == 0xC2:
                    // Writes U+00A0 as `&nbsp;` and drops its first byte, 0xC2.
                    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index - 1]))
                    output.append(contentsOf: "&nbsp;".utf8)
                    start = index + 1
                    continue
                default: continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                replacement.withUTF8Buffer { output.append(contentsOf: $0) }
                start = index + 1
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }
}
