import HTML

/// The page's metadata in lowercase, used to recognise it in the blocks of its article.
struct PageWords {
    let title: [UInt8]
    let description: [UInt8]
    let byline: [UInt8]
    let siteName: [UInt8]
    private let titleWords: Set<UInt64>
    /// Whether the page says that it presents a product.
    let isProduct: Bool
    /// Hashes of the words of the authors' names.
    let authorWords: Set<UInt64>

    init(_ facts: PageFacts, byline: String?) {
        title = PageWords.folded(facts.title)
        description = PageWords.folded(facts.description)
        self.byline = PageWords.folded(byline)
        siteName = PageWords.folded(facts.siteName)
        isProduct =
            facts.linkedType == "Product"
            || facts.openGraphType.map { $0 == "product" || $0.hasPrefix("product.") || $0.hasSuffix(":product") }
                ?? false
        titleWords = Set(PageWords.words(title[...]))
        authorWords = Set(PageWords.words(self.byline[...]))
    }

    private static func folded(_ text: String?) -> [UInt8] {
        guard let text, !text.isEmpty else { return [] }
        var scan = TextScan()
        // The start is enough, even if a title has a megabyte.
        Array(text.utf8.prefix(4 * TextScan.foldedBytes)).withUnsafeBufferPointer { scan.add($0, isNote: false) }
        return scan.folded
    }

    private static func words(_ text: ArraySlice<UInt8>) -> [UInt64] {
        text.split { !isWordCharacter($0) && $0 < 0x80 }.map { BlockHints.Hash.of($0) }
    }

    /// Returns whether a heading repeats the title: at least 80 % of its words occur in the title, and they are at
    /// least half as many as the title's.
    func isTitle(_ text: ArraySlice<UInt8>) -> Bool {
        guard !titleWords.isEmpty, !text.isEmpty else { return false }
        if text.elementsEqual(title) { return true }
        let words = PageWords.words(text)
        guard words.count >= 3 else { return false }
        let known = words.count { titleWords.contains($0) }
        return known * 10 >= words.count * 8 && known * 10 >= titleWords.count * 5
    }

    /// Returns whether at least half of a text's words occur in the title or the site's name. The text has one to six
    /// words.
    func names(_ text: ArraySlice<UInt8>) -> Bool {
        let words = PageWords.words(text)
        guard !words.isEmpty, words.count <= 6 else { return false }
        let site = PageWords.words(siteName[...])
        return words.count { titleWords.contains($0) || site.contains($0) } * 2 >= words.count
    }

    /// Returns whether a text is the description, which may be cut off.
    func isDescription(_ text: ArraySlice<UInt8>) -> Bool {
        guard description.count >= 20, text.count >= 20 else { return false }
        var wanted = description[...]
        while let last = wanted.last,
            !isWordCharacter(last) && last < 0xC3 || last == 0xA6 && wanted.count > 3 && wanted.dropLast().last == 0x80
        {
            wanted.removeLast()
        }
        let shared = zip(wanted, text).prefix { $0 == $1 }.count
        return shared * 10 >= max(wanted.count, min(text.count, TextScan.foldedBytes)) * 9
    }

    /// Returns whether a text is the author's name, optionally with a word before it.
    func isByline(_ text: ArraySlice<UInt8>) -> Bool {
        guard byline.count >= 3 else { return false }
        if text.elementsEqual(byline) { return true }
        return text.count <= byline.count + 6 && text.suffix(byline.count).elementsEqual(byline)
    }

    func beginsWithAuthor(_ text: ArraySlice<UInt8>) -> Bool {
        guard byline.count >= 5 else { return false }
        return byline.split(separator: UInt8(ascii: ",")).prefix(4).contains { name in
            let words = name.split(separator: 0x20).drop { $0.elementsEqual("by".utf8) }
            guard let first = words.first, let last = words.last else { return false }
            // The first name alone, as in "Anna has written here since 2009."
            return PageWords.begins(text, with: words.joined(separator: [0x20]), minLength: 5)
                || PageWords.begins(text, with: first, minLength: 4)
                || PageWords.honorifics.contains {
                    PageWords.begins(text, with: [$0, Array(last)].joined(separator: [0x20]), minLength: 5)
                }
        }
    }

    /// "Ms. Miller is a columnist." English, German, French, Spanish, Portuguese, Italian.
    private static let honorifics = [
        "mr.", "mr", "ms.", "ms", "mrs.", "mrs", "dr.", "dr", "prof.", "professor", "herr", "frau", "m.", "mme", "sr.",
        "sra.", "signor", "signora",
    ].map { Array($0.utf8) }

    private static func begins(_ text: ArraySlice<UInt8>, with name: some Sequence<UInt8>, minLength: Int) -> Bool {
        let name = Array(name)
        guard name.count >= minLength, text.starts(with: name) else { return false }
        return text.dropFirst(name.count).first.map { !isWordCharacter($0) && $0 < 0x80 } ?? true
    }
}
