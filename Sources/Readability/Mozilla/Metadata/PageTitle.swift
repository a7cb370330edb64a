import HTML

/// The page's `title` without the name of the site.
enum PageTitle {
    static func of(_ document: Document) -> String {
        let written = written(in: document)
        let whole = Array(written.unicodeScalars)
        var title = written
        var hadHierarchy = false

        if let cut = separatorPositions(in: whole).last {
            hadHierarchy = hasHierarchy(whole)
            title = text(whole[..<cut])
            if wordCount(title) < 3 { title = afterFirstSeparator(whole) }
        } else if let colon = firstColonWithSpace(whole) {
            title = afterColon(whole, firstColon: colon, headings: headings(of: document), written: written)
        } else if written.utf16.count > 150 || written.utf16.count < 15 {
            let headlines = document.elements([.h1], below: document.root)
            if headlines.count == 1 { title = document.innerText(headlines[0]) }
        }

        title = WhiteSpace.collapse(title)
        return isTooShort(title, of: whole, hadHierarchy: hadHierarchy) ? written : title
    }

    /// The text of the first `title`, trimmed, with each run of HTML white space replaced by one space.
    static func written(in document: Document) -> String {
        guard let element = document.elements(below: document.root, where: { document.tag($0) == .title }).first else {
            return ""
        }
        let text = document.textContent(element).utf8.split(whereSeparator: WhiteSpace.isASCII)
            .map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: " ")
        return WhiteSpace.trim(text)
    }

    // MARK: Separators

    private static let separators: Set<Unicode.Scalar> = ["|", "-", "–", "—", "\\", "/", ">", "»"]
    private static let hierarchical: Set<Unicode.Scalar> = ["\\", "/", ">", "»"]

    /// Returns the positions of white space, separator and white space in a row, without overlaps.
    private static func separatorPositions(in title: [Unicode.Scalar]) -> [Int] {
        var found: [Int] = []
        var index = 0
        while index + 2 < title.count {
            if isSpace(title[index]) && separators.contains(title[index + 1]) && isSpace(title[index + 2]) {
                found.append(index)
                index += 3
            } else {
                index += 1
            }
        }
        return found
    }

    private static func hasHierarchy(_ title: [Unicode.Scalar]) -> Bool {
        title.indices.dropFirst().dropLast().contains {
            hierarchical.contains(title[$0]) && isSpace(title[$0 - 1]) && isSpace(title[$0 + 1])
        }
    }

    private static func afterFirstSeparator(_ title: [Unicode.Scalar]) -> String {
        guard let first = title.firstIndex(where: separators.contains) else { return text(title[...]) }
        return text(title[(first + 1)...])
    }

    private static func withoutSeparators(_ title: [Unicode.Scalar]) -> String {
        var rest = title
        for start in separatorPositions(in: title).reversed() { rest.removeSubrange(start..<start + 3) }
        return text(rest[...])
    }

    // MARK: Colons

    private static func firstColonWithSpace(_ title: [Unicode.Scalar]) -> Int? {
        title.indices.dropLast().first { title[$0] == ":" && title[$0 + 1] == " " } == nil
            ? nil : title.firstIndex(of: ":")
    }

    private static func headings(of document: Document) -> [String] {
        document.elements([.h1, .h2], below: document.root).map { WhiteSpace.trim(document.textContent($0)) }
    }

    /// If a heading equals the whole title, the colon is part of the title. Otherwise the site's name precedes it,
    /// unless that part is too long for a name.
    private static func afterColon(
        _ title: [Unicode.Scalar], firstColon: Int, headings: [String], written: String
    ) -> String {
        if headings.contains(WhiteSpace.trim(written)) { return written }
        let lastColon = title.lastIndex(of: ":") ?? firstColon
        let afterLast = text(title[(lastColon + 1)...])
        if wordCount(afterLast) < 3 { return text(title[(firstColon + 1)...]) }
        return wordCount(text(title[..<firstColon])) > 5 ? written : afterLast
    }

    // MARK: Words

    /// A title of four words or fewer is used only if the cut removed exactly one word of a hierarchical title.
    private static func isTooShort(_ title: String, of whole: [Unicode.Scalar], hadHierarchy: Bool) -> Bool {
        let words = wordCount(title)
        guard words <= 4 else { return false }
        return !hadHierarchy || words != wordCount(withoutSeparators(whole)) - 1
    }

    /// Counts words as JavaScript's `split(/\s+/)` does: an empty text is one word, and a space at an end adds one.
    private static func wordCount(_ text: String) -> Int {
        var count = 1
        var wasSpace = false
        for scalar in text.unicodeScalars {
            let space = isSpace(scalar)
            if space && !wasSpace { count += 1 }
            wasSpace = space
        }
        return count
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value <= 0x20 { return scalar == " " || (scalar.value >= 0x09 && scalar.value <= 0x0D) }
        if scalar.value < 0xA0 { return false }
        return scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
