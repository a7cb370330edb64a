import HTML

/// The objects of a page's JSON-LD, from all of its scripts.
struct LinkedGraph {
    /// Those that may be what the page is about, or tell of it, in the order written.
    private(set) var objects: [JSON] = []
    private var byID: [String: Int] = [:]

    /// Bytes of all scripts that are read; whole catalogues are larger.
    private static let longest = 2_000_000
    private static let mostObjects = 500
    /// Where the page's own objects stand: not among what it merely mentions, lists, or is commented by.
    private static let ways = ["@graph", "mainEntity", "mainEntityOfPage", "subjectOf", "about", "isPartOf", "publisher"]
    /// As deep as what tells of the page lies.
    private static let deepest = 6

    init(_ scripts: [NodeID], in document: Document) {
        var left = Self.longest
        for script in scripts where left > 0 {
            let text = document.text(of: script)
            left -= text.count
            guard left >= 0, let json = JSON(parsingLeniently: text) else { continue }
            add(json, depth: 0)
        }
    }

    private mutating func add(_ json: JSON, depth: Int) {
        guard objects.count < Self.mostObjects, depth <= Self.deepest else { return }
        switch json {
        case .array(let values): for value in values { add(value, depth: depth + 1) }
        case .object:
            if let id = json["@id"]?.string, json["name"] != nil || json["@type"] != nil, byID[id] == nil { byID[id] = objects.count }
            objects.append(json)
            for way in Self.ways { if let next = json[way] { add(next, depth: depth + 1) } }
        default: break
        }
    }

    /// The object that one points to by its `@id`, or itself.
    func resolved(_ json: JSON) -> JSON {
        guard json["name"] == nil, let id = json["@id"]?.string ?? (json.string.flatMap { byID[$0] == nil ? nil : $0 }), let place = byID[id]
        else { return json }
        return objects[place]
    }

    /// The names of an object's types, without the vocabulary they are of.
    static func types(of json: JSON) -> [Substring] {
        let written = json["@type"]
        let types = written?.string.map { [$0] } ?? written?.array?.prefix(8).compactMap(\.string) ?? []
        return types.map { $0.split { $0 == "/" || $0 == ":" || $0 == "#" }.last ?? "" }
    }

    func first(ofType type: Substring) -> JSON? { objects.first { Self.types(of: $0).contains(type) } }
}
