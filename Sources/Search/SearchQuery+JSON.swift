import JSON

extension SearchQuery {
    /// The query as the functions of the database read it: `{"where": condition or null, "sort": name or null}`. A
    /// condition is an object with one kind of term, such as `{"and": [{"word": "tea"}, {"not": {"tag": "old"}}]}`.
    public var json: JSON {
        .object([
            .init("where", condition?.json ?? .null), .init("sort", order.map { .string($0.rawValue) } ?? .null),
        ])
    }
}

extension SearchCondition {
    fileprivate var json: JSON {
        switch self {
        case .all(let parts): Self.term("and", .array(parts.map(\.json)))
        case .any(let parts): Self.term("or", .array(parts.map(\.json)))
        case .not(let part): Self.term("not", part.json)
        case .word(let word, let isPrefix, let field):
            Self.term(
                "word", .string(word),
                (isPrefix ? [.init("prefix", .bool(true))] : []) + Self.members(of: field))
        case .phrase(let text, let field): Self.term("phrase", .string(text), Self.members(of: field))
        case .address(let text): Self.term("url", .string(text))
        case .state(let state): Self.term("is", .string(state.rawValue))
        case .tag(let name): Self.term("tag", .string(name))
        case .collection(let name): Self.term("in", .string(name))
        case .site(let host): Self.term("site", .string(host))
        case .before(let day): Self.term("before", .string(day.text))
        case .after(let day): Self.term("after", .string(day.text))
        case .age(let comparison, let age):
            Self.term("age", .string("\(age.count) \(age.unit)"), [.init("is", .string(comparison.rawValue))])
        case .kind(let kind): Self.term("kind", .string(kind.rawValue))
        case .language(let tag): Self.term("lang", .string(tag))
        case .minutes(let comparison, let count):
            Self.term("minutes", .number(Double(count)), [.init("is", .string(comparison.rawValue))])
        }
    }

    private static func term(_ name: String, _ value: JSON, _ more: [JSON.Member] = []) -> JSON {
        .object([.init(name, value)] + more)
    }

    private static func members(of field: SearchField?) -> [JSON.Member] {
        field.map { [.init("field", .string($0.rawValue))] } ?? []
    }
}
