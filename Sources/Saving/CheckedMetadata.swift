import Dates
import Glibc
import HTML
import Links
import Readability

/// What a reading process says of a page, as far as it can be: whoever wrote the page may have written that too.
enum CheckedMetadata {
    /// Minutes: a text of twenty megabytes takes less.
    static let longestReading = 100_000

    /// A point in time as the database takes it; nil for what is none.
    static func time(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 40 else { return nil }
        return Dates.read(text, now: Glibc.time(nil))?.text
    }

    /// An http(s) address in the form in which browsers have it.
    static func address(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 8_192, !text.utf8.contains(0), let address = WebAddress(text), address.isHTTP else { return nil }
        return address.text.utf8.count <= 8_192 ? address.text : nil
    }

    static func enclosure(_ said: Enclosure?) -> Enclosure? {
        guard let said, let url = address(said.url) else { return nil }
        return Enclosure(
            url: url, type: said.type.flatMap { mediaType($0) }, duration: said.duration.flatMap { (1...604_800).contains($0) ? $0 : nil })
    }

    /// A link to a file of sound or film is its own enclosure.
    static func enclosure(ofFile page: Page) -> Enclosure? {
        guard let kind = PageKind(contentType: page.contentType), kind == .audio || kind == .video, let url = address(page.url) else { return nil }
        return Enclosure(url: url, type: mediaType(page.contentType))
    }

    private static func mediaType(_ text: String) -> String? {
        let isOne = text.utf8.count <= 100 && text.utf8.contains(UInt8(ascii: "/")) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isOne ? text.lowercased() : nil
    }
}
