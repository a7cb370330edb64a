import HTML

/// Normalizes names of meta elements: lowercase, no white space, `prefix:name`.
enum MetaName {
    private static let propertyPrefixes = ["article", "dc", "dcterm", "og", "twitter"]
    private static let propertyNames = ["author", "creator", "description", "published_time", "title", "site_name"]
    private static let namePrefixes = ["dc", "dcterm", "og", "twitter", "parsely", "weibo:article", "weibo:webpage"]
    private static let names = ["author", "creator", "pub-date", "description", "title", "site_name"]

    /// Returns the first `prefix : name` anywhere in a `property`, which may hold several.
    static func inProperty(_ property: String) -> String? {
        let text = property.utf8.map(lowercased)
        for start in text.indices {
            for prefix in propertyPrefixes where text[start...].starts(with: prefix.utf8) {
                var rest = withoutSpaceAtStart(text[(start + prefix.utf8.count)...])
                guard rest.popFirst() == UInt8(ascii: ":") else { continue }
                rest = withoutSpaceAtStart(rest)
                if let name = propertyNames.first(where: { rest.starts(with: $0.utf8) }) { return prefix + ":" + name }
            }
        }
        return nil
    }

    /// Returns the normalized form of a `name` attribute, which must be a known name as a whole, with or without a
    /// prefix. White space may separate the parts.
    static func ofName(_ name: String) -> String? {
        let text = WhiteSpace.trim(name.utf8.map(lowercased))
        if let plain = names.first(where: { text.elementsEqual($0.utf8) }) { return plain }
        for prefix in namePrefixes where text.starts(with: prefix.utf8) {
            var rest = withoutSpaceAtStart(text.dropFirst(prefix.utf8.count))
            guard let byte = rest.popFirst(), let separator = separators[byte] else { continue }
            rest = withoutSpaceAtStart(rest)
            if let name = names.first(where: { rest.elementsEqual($0.utf8) }) { return prefix + separator + name }
        }
        return nil
    }

    private static let separators = [UInt8(ascii: ":"): ":", UInt8(ascii: "."): ":", UInt8(ascii: "-"): "-"]

    private static func withoutSpaceAtStart(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let spaces = text.withUnsafeBufferPointer { bytes in
            var end = 0
            while end < bytes.count {
                let space = WhiteSpace.length(in: bytes, at: end)
                if space == 0 { break }
                end += space
            }
            return end
        }
        return text.dropFirst(spaces)
    }
}
