import Text

/// The sanitised HTML of an article and its plain text, between which the places of annotations and highlights are
/// converted.
///
/// Clients of wallabag mark passages with annotator.js: a place is the XPath of an element, such as `/div[1]/p[5]`, and a
/// number of UTF-16 units in the texts of this element. A highlight has offsets into the plain text of the article, in
/// which lines are separated and white space is collapsed. The other characters are the same in both.
struct AnnotatedContent {
    /// An element; the first one stands for the content as a whole.
    private struct Element {
        var name: String
        var parent: Int
        /// Among the children of its parent with this name, from 1.
        var number: Int
        /// The units of its texts.
        var units: Range<Int>
        /// The index after those of its descendants.
        var end: Int
    }

    private var elements = [Element(name: "", parent: 0, number: 1, units: 0..<0, end: 1)]
    /// The texts of the content, joined.
    private var units: [UInt16] = []
    /// Where texts begin, ascending, and the elements that hold them.
    private var texts: [(start: Int, element: Int)] = []
    /// The units of the plain text.
    private let plain: [UInt16]
    /// The places of the characters that are not white space, as far as they are the same in both.
    private var places: [Int32] = []
    private var plainPlaces: [Int32] = []
    /// Whether all characters are the same.
    private var isSame = false

    private static let maxElements = 500_000
    private static let maxDepth = 1_000
    /// Steps of a path.
    private static let maxSteps = 1_000
    /// Steps to an element around the content. A page has few elements around it.
    private static let maxOuterSteps = 10

    /// - Parameters:
    ///   - content: as the sanitizer writes it.
    ///   - plain: the text of the article.
    /// - Returns: nil for content with more elements than any article has.
    init?(_ content: String, plain: String) {
        self.plain = Array(plain.utf16)
        var content = content
        let isRead = content.withUTF8 { read($0) }
        guard isRead, units.count <= Int32.max, self.plain.count <= Int32.max else { return nil }
        places = Self.places(in: units)
        plainPlaces = Self.places(in: self.plain)
        var same = 0
        while same < min(places.count, plainPlaces.count),
            units[Int(places[same])] == self.plain[Int(plainPlaces[same])]
        {
            same += 1
        }
        isSame = same == places.count && same == plainPlaces.count
        places.removeLast(places.count - same)
        plainPlaces.removeLast(plainPlaces.count - same)
    }

    // MARK: - Annotations to highlights

    /// A passage of the plain text.
    struct Passage: Equatable {
        var range: Range<Int>
        /// The text around it; nil where the range does not hold the quote.
        var prefix: String?
        var suffix: String?
    }

    /// One end of a passage: the path of an element, and units in its texts.
    struct End: Equatable {
        var path: String
        var offset: Int
    }

    /// The passage of an annotation; nil where its paths do not lead into the content.
    ///
    /// Some clients count from an element around the content. So the first steps of the paths are left out, one by one,
    /// until the passage is the quote.
    func passage(from start: End, to end: End, quote: String) -> Passage? {
        guard let from = Self.steps(start.path), let to = Self.steps(end.path) else { return nil }
        let wanted = quote.utf16.filter { !Self.isBlank($0) }
        var hint: Range<Int>?
        for dropped in 0...min(max(from.count, to.count), Self.maxOuterSteps) {
            guard let first = place(from.dropFirst(dropped), start.offset),
                let last = place(to.dropFirst(dropped), end.offset), first <= last,
                let range = converted(first..<last, from: places, to: plainPlaces)
            else { continue }
            if plain[range].filter({ !Self.isBlank($0) }) == wanted {
                return Passage(
                    range: range, prefix: Self.text(plain[..<range.lowerBound].suffix(Self.contextLength)),
                    suffix: Self.text(plain[range.upperBound...].prefix(Self.contextLength)))
            }
            // The page may have changed. The quote is then searched near this place.
            if dropped == 0 { hint = range }
        }
        return hint.map { Passage(range: $0) }
    }

    private static let contextLength = 32

    /// The place of a unit of an element in the texts of the content.
    private func place(_ steps: ArraySlice<(name: Substring, number: Int)>, _ offset: Int) -> Int? {
        var element = 0
        for step in steps {
            var child = element + 1
            let end = elements[element].end
            while child < end, elements[child].number != step.number || elements[child].name != step.name {
                child = elements[child].end
            }
            guard child < end else { return nil }
            element = child
        }
        let units = elements[element].units
        return offset <= units.count ? units.lowerBound + offset : nil
    }

    /// The steps of a path such as `/div[1]/p[5]`; nil for another text.
    private static func steps(_ path: String) -> [(name: Substring, number: Int)]? {
        guard path.isEmpty || path.hasPrefix("/"), path.utf8.count <= 10_000 else { return nil }
        var steps: [(name: Substring, number: Int)] = []
        for step in path.split(separator: "/") {
            let parts = step.split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
            var number = 1
            if parts.count == 2 {
                guard parts[1].hasSuffix("]"), let written = Int(parts[1].dropLast()), written >= 1 else { return nil }
                number = written
            }
            steps.append((parts[0].lowercased()[...], number))
        }
        return steps.count <= maxSteps ? steps : nil
    }

    // MARK: - Highlights to annotations

    /// The ends of a passage of the plain text, as annotator.js writes them; nil where it is not in the content.
    func ends(of range: Range<Int>) -> (start: End, end: End)? {
        guard let found = converted(range, from: plainPlaces, to: places) else { return nil }
        let (first, last) = (element(at: found.lowerBound), element(at: found.upperBound - 1))
        return (
            End(path: path(of: first), offset: found.lowerBound - elements[first].units.lowerBound),
            End(path: path(of: last), offset: found.upperBound - elements[last].units.lowerBound)
        )
    }

    /// The element whose own text has this unit.
    private func element(at place: Int) -> Int {
        let next = Self.firstIndex(in: texts) { $0.start > place }
        return next > 0 ? texts[next - 1].element : 0
    }

    private func path(of element: Int) -> String {
        var (path, element) = ("", element)
        while element > 0 {
            path = "/\(elements[element].name)[\(elements[element].number)]" + path
            element = elements[element].parent
        }
        return path
    }

    // MARK: - Places

    /// The range of one text that has the same characters as a range of the other; nil if there are none.
    private func converted(_ range: Range<Int>, from: [Int32], to: [Int32]) -> Range<Int>? {
        let first = Self.firstIndex(in: from) { Int($0) >= range.lowerBound }
        let end = Self.firstIndex(in: from) { Int($0) >= range.upperBound }
        // Beyond the characters that are the same in both, nothing is known.
        guard first < end, isSame || end < from.count || Int(from[end - 1]) == range.upperBound - 1 else { return nil }
        return Int(to[first])..<Int(to[end - 1]) + 1
    }

    private static func places(in units: [UInt16]) -> [Int32] {
        var places: [Int32] = []
        places.reserveCapacity(units.count)
        for index in units.indices where !isBlank(units[index]) { places.append(Int32(truncatingIfNeeded: index)) }
        return places
    }

    private static func firstIndex<Value>(in values: [Value], where isFar: (Value) -> Bool) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if isFar(values[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// White space of HTML.
    private static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || (0x09...0x0D).contains(unit) && unit != 0x0B }

    /// A text without halves of characters at its ends.
    private static func text(_ units: ArraySlice<UInt16>) -> String? {
        var units = units
        if let first = units.first, UTF16.isTrailSurrogate(first) { units.removeFirst() }
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return units.isEmpty ? nil : String(decoding: units, as: UTF16.self)
    }

    // MARK: - Reading

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    /// Reads tags and texts.
    ///
    /// - Returns: whether the content is within the limits.
    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The open elements, each with the numbers of its children by name.
        var open: [(element: Int, children: [String: Int])] = [(0, [:])]
        var at = 0
        while at < bytes.count {
            let next = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            if next > at { add(bytes[at..<next], to: open[open.count - 1].element) }
            guard next < bytes.count else { break }
            let start = next + 1
            at = Self.end(ofTag: bytes, from: start)
            guard start < bytes.count, bytes[start] != UInt8(ascii: "!") else { continue }
            if bytes[start] == UInt8(ascii: "/") {
                guard open.count > 1 else { continue }
                close(open.removeLast().element)
                continue
            }
            let name = String(
                decoding: bytes[start..<at].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") },
                as: UTF8.self
            ).lowercased()
            let number = (open[open.count - 1].children[name] ?? 0) + 1
            open[open.count - 1].children[name] = number
            guard elements.count < Self.maxElements else { return false }
            let element = elements.count
            elements.append(
                Element(
                    name: name, parent: open[open.count - 1].element, number: number,
                    units: units.count..<units.count, end: element + 1))
            guard !Self.void.contains(name) else { continue }
            guard open.count < Self.maxDepth else { return false }
            open.append((element, [:]))
            // Browsers drop a line feed here.
            if name == "pre", at < bytes.count, bytes[at] == 0x0A { at += 1 }
        }
        for item in open.reversed() { close(item.element) }
        return true
    }

    private mutating func close(_ element: Int) {
        elements[element].units = elements[element].units.lowerBound..<units.count
        elements[element].end = elements.count
    }

    private mutating func add(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, to element: Int) {
        texts.append((units.count, element))
        let text = String(decoding: bytes, as: UTF8.self)
        let isPlain = !bytes.contains(UInt8(ascii: "&"))
        units += (isPlain ? text : CharacterReferences.standard.decoded(text)).utf16
    }

    /// The index after the first `>` outside quotes.
    private static func end(ofTag bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var quote: UInt8?
        for at in start..<bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return at + 1
            } else if byte == UInt8(ascii: "\"") {
                quote = byte
            }
        }
        return bytes.count
    }
}
