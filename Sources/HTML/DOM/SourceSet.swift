/// The value of a `srcset` attribute: comma-separated URLs with sizes. The URLs may contain commas.
public enum SourceSet {
    /// Replaces each URL and keeps everything else unchanged. Tolerates malformed values as found on real pages.
    public static func mapAddresses(in set: String, _ change: (String) -> String) -> String {
        let text = Array(set.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let end = text[index...].firstIndex(where: WhiteSpace.isASCII) ?? text.count
            guard end > index, let address = address(in: text, from: index, to: end) else {
                // White space, or a word that is not a URL: keep it unchanged.
                let next = max(end, index + 1)
                output += text[index..<next]
                index = next
                continue
            }
            output += change(String(decoding: text[address.range], as: UTF8.self)).utf8
            output += text[address.range.upperBound..<address.next]
            index = address.next
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the URLs with their sizes, as the standard parses them.
    /// Source: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute. Sizes are only checked
    /// for allowed characters.
    public static func candidates(of set: String) -> [(address: String, size: String)] {
        var candidates: [(address: String, size: String)] = []
        var rest = Array(set.utf8)[...]
        while true {
            rest = rest.drop { WhiteSpace.isASCII($0) || $0 == UInt8(ascii: ",") }
            if rest.isEmpty { return candidates }
            var address = rest.prefix { !WhiteSpace.isASCII($0) }
            rest = rest[address.endIndex...]
            var size: ArraySlice<UInt8> = []
            if address.last == UInt8(ascii: ",") {
                while address.last == UInt8(ascii: ",") { address.removeLast() }
            } else {
                size = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[size.endIndex...]
            }
            let trimmed = WhiteSpace.trim(String(decoding: size, as: UTF8.self))
            let isPlain = trimmed.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E || $0 == 0x77 || $0 == 0x78 }
            candidates.append((String(decoding: address, as: UTF8.self), isPlain ? trimmed : ""))
        }
    }

    /// Returns the URL in a run of text without white space, and the end of its candidate. The URL is the whole run if
    /// a size, a comma or the end follows; otherwise it is the part before the run's last comma.
    private static func address(in text: [UInt8], from start: Int, to end: Int) -> (range: Range<Int>, next: Int)? {
        if let next = candidateEnd(in: text, from: skipSize(in: text, from: end)) ?? candidateEnd(in: text, from: end) {
            return (start..<end, next)
        }
        guard let comma = text[start..<end].lastIndex(of: UInt8(ascii: ",")), comma > start else { return nil }
        return (start..<comma, comma + 1)
    }

    /// Returns the index after white space and a comma, or the end of the text; nil if something else follows.
    private static func candidateEnd(in text: [UInt8], from start: Int) -> Int? {
        let next = text[start...].firstIndex { !WhiteSpace.isASCII($0) } ?? text.count
        if next == text.count { return next }
        return text[next] == UInt8(ascii: ",") ? next + 1 : nil
    }

    /// Returns the index after ` 2x` or ` 480w`; `start` if there is no size.
    private static func skipSize(in text: [UInt8], from start: Int) -> Int {
        let number = text[start...].firstIndex { !WhiteSpace.isASCII($0) } ?? text.count
        let unit = text[number...].firstIndex { !($0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".")) } ?? text.count
        guard number > start, unit > number, unit < text.count,
            text[unit] == UInt8(ascii: "x") || text[unit] == UInt8(ascii: "w")
        else { return start }
        return unit + 1
    }
}
