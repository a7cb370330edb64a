/// The check boxes of task lists. An article contains no controls, so its boxes are text.
public enum TaskBox {
    private static let open = "☐"
    private static let done = "☑"

    /// Number of levels between a box and its list item, such as a paragraph or a label.
    private static let maxLevels = 4

    /// Returns the text of a check box in a list item, separated from the text after it; nil for every other element.
    public static func text(of node: NodeID, in document: Document) -> String? {
        guard document.tag(node) == .input, document.attribute(node, .type)?.lowercased() == "checkbox",
            document.ancestors(node, limit: maxLevels).contains(where: { document.tag($0) == .li })
        else { return nil }
        let box = document.attribute(node, named: "checked") == nil ? open : done
        let hasSpace = document.nextSibling(node).map { next in
            document.isText(next) && (document.text(of: next).first.map(WhiteSpace.isASCII) ?? false)
        }
        return hasSpace == true ? box : box + " "
    }

    /// Splits text that begins with a box and white space into the state of the box and the rest.
    static func split(_ text: UnsafeBufferPointer<UInt8>) -> (isChecked: Bool, rest: UnsafeBufferPointer<UInt8>)? {
        let written = text.drop(while: WhiteSpace.isASCII)
        guard written.count > open.utf8.count, WhiteSpace.isASCII(written[written.startIndex + open.utf8.count]) else {
            return nil
        }
        let isChecked = written.starts(with: done.utf8)
        guard isChecked || written.starts(with: open.utf8) else { return nil }
        return (isChecked, UnsafeBufferPointer(rebasing: written.dropFirst(open.utf8.count)))
    }
}
