/// Extracts the names from a byline.
enum Byline {
    /// In characters. A longer text is prose and not a byline.
    private static let maxCharacters = 300
    private static let maxNames = 12

    /// Returns the names in texts that each name one or several authors; empty if there are none.
    ///
    /// - Parameter sites: the names of the site, which are never an author's name.
    static func names(_ written: [String], sites: SiteNames) -> [String] {
        var names: [String] = []
        var known: Set<String> = []
        for text in written.prefix(20) where text.utf8.count <= maxCharacters * 4 {
            for name in parts(text, sites: sites) where names.count < maxNames {
                let folded = NormalizedText(name).text
                if known.insert(folded).inserted { names.append(name) }
            }
        }
        // `Jane Doe` and `Jane` are the same person.
        return names.count < 2
            ? names : names.filter { name in !names.contains { $0 != name && $0.hasPrefix(name + " ") } }
    }

    /// Returns the names joined by commas; nil if there are none.
    static func line(_ written: [String], sites: SiteNames) -> String? {
        let names = names(written, sites: sites)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// Whether a line is recognisable as a byline without its context: it begins with a byline prefix, and a name
    /// follows, capitalised if its script has capitals.
    static func isByline(_ line: String) -> Bool {
        guard line.count <= 100 else { return false }
        let rest = withoutPrefix(line)
        guard rest.utf8.count < line.utf8.count, let first = rest.first, !first.isLowercase,
            !line.hasPrefix(rest.prefix(4))
        else { return false }
        let prefix = line.dropLast(rest.count).lowercased()
        return prefix.hasSuffix(":") || prefix.hasSuffix("：") || prefix.hasSuffix(": ")
            || unambiguousPrefixes.contains { prefix == $0 + " " }
    }

    /// Prefixes that rarely begin other lines. English, German, French, Spanish and Portuguese, Dutch, Scandinavian.
    private static let unambiguousPrefixes = ["by", "written by", "story by", "von", "par", "por", "door", "av", "af"]

    /// Whether a name is an account name, such as `jdoe`, and not a full name.
    static func isHandle(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x80 }
            && (name == name.lowercased() || name.utf8.contains { (0x30...0x39).contains($0) })
    }

    // MARK: - Parts

    private static func parts(_ text: String, sites: SiteNames) -> [String] {
        guard var line = OneLine.of(text), line.count <= maxCharacters else { return [] }
        if line.utf8.contains(UInt8(ascii: "/")) || line.utf8.contains(UInt8(ascii: ".")) {
            line = line.split(separator: " ").filter { !isAddress($0) }.joined(separator: " ")
        }
        let stripped = withoutPrefix(withoutArchiveLink(withoutButton(withoutBrackets(line))))
        let pieces = split(stripped).flatMap(splitNames)
        var found: [String] = []
        for piece in pieces {
            guard let name = name(piece, sites: sites, isFirst: found.isEmpty) else { continue }
            // Names begin with a capital, except for particles. This skips `last changed March 22`.
            if !found.isEmpty, name.first?.isLowercase == true, !particles.contains(where: { name.hasPrefix($0 + " ") })
            {
                continue
            }
            // `Jane Doe, The Daily Press`: the second part is the author's employer.
            if !found.isEmpty, NormalizedText(name).words.contains(where: AuthorWords.organisations.contains) {
                continue
            }
            found.append(name)
        }
        return found
    }

    private static let separators: Set<Character> = Set(",;|·•、，；/／\u{2013}\u{2014}\n")

    /// Splits a text at the signs between names.
    private static func split(_ text: String) -> [Substring] {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split { separators.contains($0) }
        }
        return text.utf8.split { ",;|/\n".utf8.contains($0) }.map(Substring.init)
    }

    private static let particles = [
        "de", "van", "von", "der", "den", "da", "dos", "di", "du", "la", "le", "al", "el", "bin", "ibn", "ter", "ten",
        "zu",
    ]

    /// Splits a text at conjunctions into names. A conjunction inside one person's name, as in `Ortega y Gasset`, does
    /// not split it.
    private static func splitNames(_ piece: Substring) -> [String] {
        var people: [[Substring]] = [[]]
        let words = piece.split(separator: " ")
        for (place, word) in words.enumerated() {
            let isConjunction = AuthorWords.conjunctions.contains(word.lowercased())
            let rest = words.count - place - 1
            let isEnglish = ["and", "&", "und", "et", "with"].contains(word.lowercased())
            if isConjunction, (people.last?.count ?? 0) >= 2 || isEnglish && people.last?.isEmpty == false,
                rest >= 2 || isEnglish && rest >= 1,
                !(isEnglish && (people.last?.count ?? 0) == 1 && rest >= 2 && !piece.contains("&"))
            {
                people.append([])
            } else {
                people[people.count - 1].append(word)
            }
        }
        return people.map { $0.joined(separator: " ") }
    }

    private static func withoutBrackets(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 || "([<{)]>}".utf8.contains($0) }) else { return text }
        var result = ""
        var depth = 0
        for character in text {
            if "([（【<{".contains(character) {
                depth += 1
            } else if ")]）】>}".contains(character) {
                depth = max(0, depth - 1)
                result.append(" ")
            } else if depth == 0 {
                result.append(character)
            }
        }
        return result
    }

    /// Removes a button glued to a name, and what follows it: `Jane DoeFollow Novelist, sailor`.
    private static func withoutButton(_ text: String) -> String {
        let words = text.split(separator: " ")
        for (place, word) in words.enumerated() {
            guard let end = AuthorWords.gluedWords.first(where: { isGlued($0, at: word) }) else { continue }
            return (words[..<place] + [word.dropLast(end.count)]).joined(separator: " ")
        }
        return text
    }

    /// Removes a link to an author's other articles beside the name, or leaves the name of such a link.
    private static func withoutArchiveLink(_ text: String) -> String {
        var words = text.split(separator: " ")
        // The bytes of the text in lowercase, and where each word begins.
        var bytes: [UInt8] = []
        let starts = words.map { word in
            defer { bytes += Array(word.lowercased().utf8) + [0x20] }
            return bytes.count
        }
        for (place, start) in starts.enumerated() {
            guard let length = AuthorWords.archiveOpenings.opening(of: bytes[start...]) else { continue }
            let before = words[..<place].joined(separator: " ")
            if !withoutPrefix(before).isEmpty { return before }
            words = Array(words[(starts.firstIndex { $0 > start + length } ?? words.count)...])
            break
        }
        let name = words.joined(separator: " ")
        let small = name.lowercased()
        guard let ending = AuthorWords.archiveEndings.first(where: { small.hasSuffix($0) }), small.count == name.count
        else { return name }
        return String(name.dropLast(ending.count))
    }

    private static func withoutPrefix(_ text: String) -> String {
        var rest = Substring(text).drop { !$0.isLetter && $0 != "@" }
        // `Text: by Jane` has several prefixes.
        for _ in 0..<3 {
            let small = rest.lowercased()
            guard let first = small.utf8.first,
                let prefix = prefixes[Int(first)].first(where: {
                    small.utf8.starts(with: $0.utf8) && (isWhole($0, in: small) || isGlued($0, to: rest))
                })
            else { break }
            // The lower-case text may have another length in bytes, so this counts characters.
            rest = rest.dropFirst(prefix.count).drop { !$0.isLetter && $0 != "@" }
        }
        return String(rest)
    }

    /// The longest first, grouped by first byte.
    private static let prefixes: [[String]] = {
        var groups = Array(repeating: [String](), count: 256)
        for prefix in AuthorWords.prefixes.sorted(by: { $0.count > $1.count }) {
            if let first = prefix.utf8.first { groups[Int(first)].append(prefix) }
        }
        return groups
    }()

    /// Whether the prefix ends at a word boundary: `by` does not match `Bynum`. After punctuation and ideographs every
    /// place is a boundary.
    private static func isWhole(_ prefix: String, in text: String) -> Bool {
        guard let last = prefix.unicodeScalars.last, last.properties.isAlphabetic,
            !WordCount.isWrittenWithoutSpaces(last)
        else { return true }
        guard let next = text.unicodeScalars.dropFirst(prefix.unicodeScalars.count).first else { return true }
        return !next.properties.isAlphabetic && next != "'" && next != "’" && next != "." && next != "-"
    }

    /// Whether a name follows a prefix of several words without a space: `Posted byJane Doe`.
    private static func isGlued(_ prefix: String, to text: Substring) -> Bool {
        guard prefix.contains(" "), let next = text.dropFirst(prefix.count).first else { return false }
        return next.isUppercase && text.dropFirst(prefix.count - 1).first?.isLowercase == true
    }

    // MARK: - Names

    private static func name(_ piece: String, sites: SiteNames, isFirst: Bool) -> String? {
        let piece = withoutPrefix(piece)
        let small = piece.lowercased()
        guard !AuthorWords.pictureCredits.contains(where: { small.hasPrefix($0) }), !isFile(small) else { return nil }
        var words: [Substring] = []
        let written = piece.split(separator: " ")
        for (place, word) in written.enumerated() {
            // E-mail addresses and account names.
            if word.contains("@") { continue }
            if word.contains(where: \.isNumber) {
                // A number begins a date; but a single word such as `jdoe42` is an account name.
                if words.isEmpty, word.utf8.count == piece.utf8.count, word.first?.isLetter == true {
                    words.append(word)
                } else if words.count < 2 {
                    return nil
                }
                while words.count > 1, let last = words.last, isDateWord(last) { words.removeLast() }
                break
            }
            let bare = word.lowercased().trimmed
            if AuthorWords.publicationVerbs.contains(bare) {
                // `Published on` and a date name nobody.
                if words.isEmpty { return nil }
                break
            }
            if !words.isEmpty, place == written.count - 1, AuthorWords.commentVerbs.contains(bare) { return nil }
            let isSurname =
                isSurname(after: words)
                || isFirst && place == written.count - 1 && isSurname(word, after: words, sites: sites)
            if AuthorWords.roles.contains(bare) && !isSurname
                || words.count >= 2 && AuthorWords.placePrepositions.contains(bare)
            {
                break
            }
            words.append(word)
        }
        var name = words.joined(separator: " ").trimmed
        for suffix in AuthorWords.suffixes where name.hasSuffix(suffix) && name.count > suffix.count + 1 {
            name = String(name.dropLast(suffix.count)).trimmed
        }
        let folded = name.lowercased()
        let letters = name.unicodeScalars.lazy.filter(\.properties.isAlphabetic)
        // A single initial names nobody.
        guard letters.prefix(2).count == 2 || letters.first.map(WordCount.isWrittenWithoutSpaces) ?? false,
            name.count >= 2, name.count <= 80,
            words.count <= 7,
            !AuthorWords.genericNames.contains(folded),
            !sites.contains(name) || words.count >= 2 && !sites.isExactly(name)
        else { return nil }
        return name
    }

    private static func isDateWord(_ word: Substring) -> Bool {
        AuthorWords.dateWords.contains(word.lowercased().trimmed) || !word.contains(where: \.isLetter)
    }

    /// Whether a word ends with another one that begins with a capital: `DoeFollow`.
    private static func isGlued(_ ending: String, at word: Substring) -> Bool {
        word.hasSuffix(ending) && word.dropLast(ending.count).last?.isLowercase == true
    }

    /// Whether a job title is a surname: `A. Writer`. Initials alone name nobody, so the word after them belongs to the
    /// name.
    private static func isSurname(after words: [Substring]) -> Bool { !words.isEmpty && words.allSatisfy(isInitials) }

    /// Whether a job title at the end is the surname after a single given name: `Anna Writer`. It is a job title after a
    /// whole name, after the name of a site or an agency in capitals, and after a word that no person is called.
    private static func isSurname(_ word: Substring, after words: [Substring], sites: SiteNames) -> Bool {
        guard words.count == 1, isCapitalized(word), isCapitalized(words[0]),
            AuthorWords.titlesAsSurnames.contains(word.lowercased()),
            !AuthorWords.genericNames.contains(words[0].lowercased()),
            !AuthorWords.departments.contains(words[0].lowercased())
        else { return false }
        return !sites.contains(String(words[0]))
    }

    /// Whether a word has a capital letter at its beginning and no other: `Anna`, `Jean-paul`.
    private static func isCapitalized(_ word: Substring) -> Bool {
        word.count >= 2 && word.first?.isUppercase == true && word.dropFirst().allSatisfy { !$0.isUppercase }
    }

    /// Whether a word consists of initials: `A.`, `J.R.`, `J.-P.`
    private static func isInitials(_ word: Substring) -> Bool {
        let letters = word.split(separator: ".", omittingEmptySubsequences: false)
        return letters.count >= 2 && letters.last?.isEmpty == true
            && letters.dropLast().allSatisfy { part in
                let letter = part.hasPrefix("-") ? part.dropFirst() : part
                return letter.count == 1 && letter.first?.isLetter == true
            }
    }

    private static func isAddress(_ word: Substring) -> Bool {
        word.contains("://") || word.lowercased().hasPrefix("www.")
    }

    /// Whether a text looks like a file name or a domain: `portrait.jpg`, `example.com`.
    private static func isFile(_ text: String) -> Bool {
        guard !text.contains(" "), let dot = text.lastIndex(of: "."), dot != text.startIndex else { return false }
        let ending = text[text.index(after: dot)...]
        return (2...5).contains(ending.utf8.count) && text[..<dot].utf8.count > 2
    }
}

extension String {
    /// The text without leading and trailing characters that cannot belong to a name.
    fileprivate var trimmed: String {
        let start = drop { !$0.isLetter && $0 != "(" }
        var end = start
        while let last = end.last, !last.isLetter, !last.isNumber, last != ")",
            !(last == "." && end.dropLast().last?.isLetter == true)
        { end = end.dropLast() }
        return String(end)
    }
}
