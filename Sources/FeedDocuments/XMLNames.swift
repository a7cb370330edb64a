/// The names of elements with the usual prefix of their namespace, whatever prefix the document uses. Names of RSS have
/// none. A prefix has one meaning in the whole document, and one without a declaration its usual meaning.
struct XMLNames {
    private static let known: [(start: String, prefix: String)] = [
        ("http://www.w3.org/2005/atom", "atom"), ("http://purl.org/atom/", "atom"),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"), ("http://purl.org/rss/1.0/modules/content/", "content"),
        ("http://purl.org/dc/", "dc"), ("http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes"),
        ("http://search.yahoo.com/mrss", "media"), ("http://rssnamespace.org/feedburner/", "feedburner"),
        ("http://purl.org/rss/1.0/", ""), ("http://my.netscape.com/rdf/simple/0.9/", ""),
        ("http://channel.netscape.com/rdf/simple/0.9/", ""), ("http://backend.userland.com/rss", ""),
    ]
    private static let maxPrefixes = 50

    /// What prefixes of the document stand for. The empty one is that of names without a prefix.
    private var meanings: [String: String] = [:]
    /// Whether an element has been named.
    private var hasRoot = false

    /// The name of an element that begins.
    mutating func name(_ written: String, _ attributes: [String: String]) -> String {
        for (attribute, value) in attributes where attribute.hasPrefix("xmlns") && meanings.count < Self.maxPrefixes {
            guard attribute == "xmlns" || attribute.hasPrefix("xmlns:") else { continue }
            // A default namespace within the feed is that of markup in it.
            if attribute == "xmlns", hasRoot { continue }
            let address = value.lowercased()
            guard let meaning = Self.known.first(where: { address.hasPrefix($0.start) }) else { continue }
            meanings[String(attribute.dropFirst(6))] = meaning.prefix
        }
        // Some feeds name no namespace.
        if !hasRoot, written == "feed", meanings[""] == nil { meanings[""] = "atom" }
        hasRoot = true
        return name(written)
    }

    /// The name of an element that ends.
    func name(_ written: String) -> String {
        let parts = written.split(separator: ":", maxSplits: 1)
        let (prefix, local) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", written)
        let meaning = meanings[prefix] ?? prefix
        return meaning.isEmpty ? local : meaning + ":" + local
    }
}
