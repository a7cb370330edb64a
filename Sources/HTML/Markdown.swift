/// Markdown of HTML.
public enum Markdown {
    public static func render(_ document: Document, _ scope: NodeID) -> String {
        TextRenderer().render(document, scope)
    }
}
