import HTML

/// The contents of the meta elements that the rules use, by normalized name. If a name occurs more than once, the last
/// one counts.
struct MetaValues: Sendable {
    private var values: [String: String] = [:]

    init(_ document: Document) {
        for meta in document.elements([.meta], below: document.root) {
            guard let content = document.attribute(meta, .content), !content.isEmpty else { continue }
            let value = WhiteSpace.trim(content)
            if let property = document.attribute(meta, .property), let name = MetaName.inProperty(property) {
                values[name] = value
            } else if let name = document.attribute(meta, .name).flatMap(MetaName.ofName) {
                values[name] = value
            }
        }
    }

    /// Returns the value of the first of these names that has one.
    func first(_ names: String...) -> String? {
        names.lazy.compactMap { values[$0].nonEmpty }.first
    }
}
