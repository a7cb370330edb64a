import Links
import Dates
import Glibc
import HTML
import Readability

/// Checks the metadata that a reader process returns. A hostile page may have taken over the process, so nothing of it
/// is trusted.
enum MetadataCheck {
    /// The longest reading time in minutes; twenty megabytes of text take less.
    static let maxReadingTime = 100_000

    /// A point in time as the database accepts it; nil where the text is not one.
    static func time(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 40 else { return nil }
        return Dates.read(text, now: Glibc.time(nil))?.text
    }

    /// An http(s) URL in the normal form of browsers; nil where the text is not one.
    static func address(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 8_192, !text.utf8.contains(0), let address = WebAddress(text), address.isHTTP
        else { return nil }
        return address.text.utf8.count <= 8_192 ? address.text : nil
    }

    static func enclosure(_ given: Enclosure?) -> Enclosure? {
        guard let given, let url = address(given.url) else { return nil }
        return Enclosure(
            url: url, type: given.type.flatMap { mediaType($0) },
            duration: given.duration.flatMap { (1...604_800).contains($0) ? $0 : nil })
    }

    /// The enclosure of an audio or video file is the file itself.
    static func enclosure(ofFile page: Page) -> Enclosure? {
        guard let kind = PageKind(contentType: page.contentType), kind == .audio || kind == .video,
            let url = address(page.url)
        else { return nil }
        return Enclosure(url: url, type: mediaType(page.contentType))
    }

    private static func mediaType(_ text: String) -> String? {
        let isMediaType =
            text.utf8.count <= 100 && text.utf8.contains(UInt8(ascii: "/"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isMediaType ? text.lowercased() : nil
    }
}
