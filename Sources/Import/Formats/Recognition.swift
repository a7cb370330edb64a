import ImportFormats
import JSON
import Text

/// Recognises the format of a text file by its beginning, then by its name.
enum Recognition {
    /// Bytes of the beginning that decide.
    static let headLength = 64 << 10

    /// What a file is written in.
    enum Shape: Equatable { case markup, json, text, binary }

    static func shape(_ head: [UInt8]) -> Shape {
        if head.contains(0) { return .binary }
        switch head.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "<"): return .markup
        // A bracket also begins links of Markdown.
        case UInt8(ascii: "{"), UInt8(ascii: "["): return JSONKeys(head) == nil ? .text : .json
        default: return .text
        }
    }

    /// The format of a file; nil for a file that is none of them, which may be a document.
    ///
    /// - Parameters:
    ///   - head: the first ``headLength`` bytes in UTF-8, or all of them.
    ///   - isWhole: whether the head is the whole file.
    static func format(_ head: [UInt8], isWhole: Bool, name: String) -> ImportFormat? {
        switch shape(head) {
        case .binary: return nil
        case .markup: return markup(String(utf8OrLatin1: head).lowercased())
        case .json: return JSONKeys(head)?.format
        case .text:
            let text = String(utf8OrLatin1: head)
            let ending = name.lowercased().split(separator: ".").last ?? ""
            if ["md", "markdown", "mdown", "mkd"].contains(ending) {
                return FrontMatterText(text)?.values["url"] != nil ? .markdown : nil
            }
            if let format = table(head, isTable: ["csv", "tsv"].contains(ending)) { return format }
            return AddressLines.matches(text, isWhole: isWhole) ? .urls : nil
        }
    }

    private static func markup(_ text: String) -> ImportFormat? {
        if text.contains("netscape-bookmark-file-1") {
            let preamble = text[..<(text.firstRange(of: "<dt")?.lowerBound ?? text.endIndex)]
            return preamble.contains("shaarli") ? .shaarli : .netscape
        }
        if text.contains("<opml") { return .opml }
        if text.contains("<title>pocket export") { return .pocketHTML }
        if text.contains("<title>instapaper: export") { return .instapaper }
        return nil
    }

    /// - Parameter isTable: whether the name says so; a table of addresses is accepted then without other columns.
    private static func table(_ head: [UInt8], isTable: Bool) -> ImportFormat? {
        CSVFile.header(head).flatMap { table(Set($0.names), isTable: isTable) }
    }

    static func table(_ names: Set<String>, isTable: Bool) -> ImportFormat? {
        func has(_ columns: String...) -> Bool { names.isSuperset(of: columns) }
        let address = !names.isDisjoint(with: ["url", "rawurl", "link", "href"])
        if has("highlight"), has("url") || has("booktitle") { return .readwise }
        guard address else { return nil }
        if has("timeadded") { return .pocketCSV }
        if has("folder", "timestamp") || has("selection", "folder") { return .instapaper }
        if has("documenttags") || has("readingprogress") { return .readwise }
        if has("inqueue") || has("wordcount", "publisher") { return .matter }
        if has("folder", "excerpt") || has("folder", "created") { return .raindrop }
        let known: Set = [
            "title", "tags", "createdat", "status", "starred", "note", "collections", "list", "description",
        ]
        return isTable || names.intersection(known).count >= 2 ? .lectern : nil
    }
}

/// The names of the members at the beginning of a JSON text, which may be cut off.
struct JSONKeys {
    /// Of the outermost object.
    private(set) var outer: Set<String> = []
    /// Of objects in the outermost array, or in arrays that are members of the outermost object.
    private(set) var inner: Set<String> = []

    /// - Returns: nil for text that does not begin like JSON.
    init?(_ head: [UInt8]) {
        var position = head.firstIndex { $0 > 0x20 } ?? head.endIndex
        guard position < head.endIndex else { return nil }
        let isArray = head[position] == UInt8(ascii: "[")
        if isArray {
            guard let next = head[(position + 1)...].first(where: { $0 > 0x20 }) else { return nil }
            guard next == UInt8(ascii: "{") || next == UInt8(ascii: "]") else { return nil }
        } else {
            guard let next = head[(position + 1)...].first(where: { $0 > 0x20 }) else { return nil }
            guard next == UInt8(ascii: "\"") || next == UInt8(ascii: "}") else { return nil }
        }
        var depth = 0
        while position < head.endIndex {
            switch head[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = position + 1
                position = start
                while position < head.endIndex, head[position] != UInt8(ascii: "\"") {
                    position += head[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard position < head.endIndex else { return }
                if head[(position + 1)...].first(where: { $0 > 0x20 }) == UInt8(ascii: ":") {
                    let name = String(utf8OrLatin1: head[start..<position])
                    if !isArray, depth == 1 { outer.insert(name) }
                    if depth == (isArray ? 2 : 3) { inner.insert(name) }
                }
            default: break
            }
            position += 1
        }
    }

    var format: ImportFormat? {
        func has(_ names: String...) -> Bool { inner.isSuperset(of: names) }
        if outer.contains("roots") { return .chrome }
        if outer.contains("typeCode"), outer.contains("children") { return .firefox }
        if outer.contains("bookmarks"), inner.isEmpty || has("content") || has("createdAt") { return .karakeep }
        if outer.contains("collections"), has("links") || outer.contains("username") { return .linkwarden }
        if has("tag_names") || outer.isSuperset(of: ["results", "next"]) { return .linkding }
        if outer.contains("items"), has("link") { return .raindrop }
        if has("href", "extended") || has("href", "toread") { return .pinboard }
        if has("url", "is_archived") || has("url", "hashed_url") || has("url", "domain_name") { return .wallabag }
        if has("savedAt", "slug") { return .omnivore }
        if has("raw_url") || has("url") { return .lectern }
        return nil
    }
}
