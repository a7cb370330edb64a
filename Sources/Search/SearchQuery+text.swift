extension SearchQuery {
    /// The query as text. Parsing it gives the same query again.
    public var text: String {
        var parts: [String] = []
        if let condition { parts.append(condition.text(within: .top)) }
        if let order { parts.append("sort:" + order.rawValue) }
        // `or` binds weaker than the order beside it, which has no place in the tree, so that needs no parentheses.
        return parts.joined(separator: " ")
    }
}

extension SearchCondition {
    /// What surrounds a condition in the text of a query, and so decides whether it needs parentheses.
    fileprivate enum Surroundings { case top, any, all, not }

    fileprivate func text(within surroundings: Surroundings) -> String {
        switch self {
        case .all(let parts):
            return Self.grouped(
                parts.map { $0.text(within: .all) }.joined(separator: " "), if: surroundings == .not)
        case .any(let parts):
            return Self.grouped(
                parts.map { $0.text(within: .any) }.joined(separator: " or "),
                if: surroundings == .all || surroundings == .not)
        case .not(let part): return "-" + part.text(within: .not)
        case .word(let word, let isPrefix, nil):
            let text = word + (isPrefix ? "*" : "")
            // Between two terms it would be the operator.
            let start = word.lowercased().prefix(3)
            return Self.grouped(text, if: start == "or(" || start == "or" && !isPrefix)
        case .word(let word, let isPrefix, let field?): return "\(field.rawValue):\(word)" + (isPrefix ? "*" : "")
        case .phrase(let text, let field): return (field.map { $0.rawValue + ":" } ?? "") + "\"\(text)\""
        case .address(let text): return "url:\"\(text)\""
        case .state(let state): return "is:" + state.rawValue
        case .tag(let name): return "tag:\"\(name)\""
        case .collection(let name): return "in:\"\(name)\""
        case .site(let host): return "site:\"\(host)\""
        case .before(let day): return "before:" + day.text
        case .after(let day): return "after:" + day.text
        case .age(let comparison, let age): return "age:\(comparison.rawValue)\(age.count)\(age.unit.rawValue)"
        case .kind(let kind): return "kind:" + kind.rawValue
        case .language(let tag): return "lang:" + tag
        case .minutes(let comparison, let count): return "minutes:\(comparison.rawValue)\(count)"
        }
    }

    /// The space keeps the parenthesis from closing one that a word has left open.
    private static func grouped(_ text: String, if isNeeded: Bool) -> String { isNeeded ? "(\(text) )" : text }
}
