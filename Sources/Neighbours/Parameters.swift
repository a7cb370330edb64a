import HTTP
import JSON

/// The parameters of a request: of its query, of a form, or the members of a JSON object.
public struct Parameters {
    private var values: [String: JSON] = [:]
    /// All values of fields that a form has several times.
    private var repeated: [String: [JSON]] = [:]

    /// More parameters than any client sends.
    private static let maximum = 10_000

    /// The parameters of the query alone.
    public init(query: String) throws(NeighbourError) {
        guard let fields = FormFields(urlEncoded: query.utf8, maximum: Self.maximum) else { throw .badQuery }
        try add(fields)
    }

    /// The parameters of the query and of the body. Those of the body win.
    public init(_ request: Request) throws(NeighbourError) {
        try self.init(query: request.query)
        guard !request.body.isEmpty else { return }
        let type = request.headers["content-type"] ?? ""
        if let boundary = FormFields.boundary(of: type) {
            try add(FormFields(multipart: request.body, boundary: boundary, maximum: Self.maximum))
        } else if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            try add(FormFields(urlEncoded: request.body, maximum: Self.maximum))
        } else {
            guard case .object(let members)? = JSON(parsing: request.body) else { throw .badBody }
            for member in members {
                values[member.key] = member.value
                repeated[member.key] = nil
            }
        }
    }

    /// Whether a parameter is there and not null.
    public func has(_ name: String) -> Bool { self[name] != nil }

    subscript(_ name: String) -> JSON? {
        guard let value = values[name], value != .null else { return nil }
        return value
    }

    // MARK: - Values

    /// The text of a parameter; nil if it is missing or null.
    public func text(_ name: String) throws(NeighbourError) -> String? {
        switch self[name] {
        case nil, .null?: nil
        case .string(let text)?: text
        case .number?, .bool?: self[name].map { String(decoding: $0.bytes, as: UTF8.self) }
        case .array?, .object?: throw .badParameter(name, "a text")
        }
    }

    /// The text of a parameter; nil also for an empty one.
    func nonEmpty(_ name: String) throws(NeighbourError) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }

    func flag(_ name: String) throws(NeighbourError) -> Bool? {
        switch try text(name)?.lowercased() {
        case nil: nil
        case "1", "true", "on", "yes": true
        case "0", "false", "off", "no", "": false
        default: throw .badParameter(name, "0 or 1")
        }
    }

    /// A number. One that is larger than the range counts as its end, because clients ask for "everything" so.
    func number(_ name: String, in range: ClosedRange<Int>) throws(NeighbourError) -> Int? {
        guard let text = try nonEmpty(name) else { return nil }
        var digits = text[...]
        let isNegative = digits.first == "-"
        if isNegative { digits = digits.dropFirst() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badParameter(name, "a number")
        }
        let value = Int(text) ?? (isNegative ? .min : .max)
        return min(max(value, range.lowerBound), range.upperBound)
    }

    /// The texts of an array, of a field that a form has several times, or of a text with commas between them, without
    /// blanks at their ends.
    func list(_ name: String) throws(NeighbourError) -> [String]? {
        switch repeated[name].map(JSON.array) ?? self[name] {
        case nil: return nil
        case .array(let items)?:
            var texts: [String] = []
            for item in items {
                guard let text = item.string else { throw .badParameter(name, "a list of strings") }
                texts.append(text.trimmed)
            }
            return texts.filter { !$0.isEmpty }
        default:
            return try text(name)?.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        }
    }

    // MARK: - Forms

    private mutating func add(_ form: FormFields?) throws(NeighbourError) {
        guard let form else { throw .badBody }
        var lists = values.compactMapValues(\.array)
        var fields: [String: [JSON]] = [:]
        for (name, value) in form.pairs {
            if name.hasSuffix("[]") {
                lists[String(name.dropLast(2)), default: []].append(.string(value))
            } else {
                values[name] = .string(value)
                fields[name, default: []].append(.string(value))
            }
        }
        for (name, list) in lists {
            values[name] = .array(list)
            repeated[name] = nil
        }
        for (name, list) in fields { repeated[name] = list.count > 1 ? list : nil }
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
