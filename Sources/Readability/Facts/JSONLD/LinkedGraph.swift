import HTML
import JSON

/// The JSON-LD objects of a page, from all of its scripts.
struct LinkedGraph {
    /// The objects that may describe the page, in document order.
    private(set) var objects: [JSON] = []
    private var byID: [String: Int] = [:]

    /// In bytes, for all scripts together. Larger scripts are whole catalogues.
    private static let maxScriptBytes = 2_000_000
    private static let maxObjects = 500
    /// The properties that lead to the page's own objects. Properties for mentions, list items and comments are left
    /// out.
    private static let linkProperties = [
        "@graph", "mainEntity", "mainEntityOfPage", "subjectOf", "about", "isPartOf", "publisher",
    ]
    /// Objects that describe the page are not nested deeper.
    private static let maxDepth = 6

    init(_ scripts: [NodeID], in document: Document) {
        var remaining = Self.maxScriptBytes
        for script in scripts where remaining > 0 {
            let text = document.text(of: script)
            remaining -= text.count
            guard remaining >= 0, let json = JSON(parsingLeniently: text) else { continue }
            add(json, depth: 0)
        }
    }

    private mutating func add(_ json: JSON, depth: Int) {
        guard objects.count < Self.maxObjects, depth <= Self.maxDepth else { return }
        switch json {
        case .array(let values): for value in values { add(value, depth: depth + 1) }
        case .object:
            if let id = json["@id"]?.string, json["name"] != nil || json["@type"] != nil, byID[id] == nil {
                byID[id] = objects.count
            }
            objects.append(json)
            for property in Self.linkProperties { if let next = json[property] { add(next, depth: depth + 1) } }
        default: break
        }
    }

    /// Returns the object that a value references by its `@id`, or the value itself.
    func resolved(_ json: JSON) -> JSON {
        guard json["name"] == nil, let id = json["@id"]?.string ?? (json.string.flatMap { byID[$0] == nil ? nil : $0 }),
            let place = byID[id]
        else { return json }
        return objects[place]
    }

    /// Returns an object's types, without their vocabulary prefix.
    static func types(of json: JSON) -> [Substring] {
        let written = json["@type"]
        let types = written?.string.map { [$0] } ?? written?.array?.prefix(8).compactMap(\.string) ?? []
        return types.map { $0.split { $0 == "/" || $0 == ":" || $0 == "#" }.last ?? "" }
    }

    func first(ofType type: Substring) -> JSON? { objects.first { Self.types(of: $0).contains(type) } }
}
