import Feeds
import JSON

/// Items of the Google Reader API as Atom, with their states as categories of Google's scheme.
struct ReaderAtom {
    let title: String
    /// The URL of the web app.
    let address: String
    /// As `rest.reader_item` returns them.
    let items: [JSON]

    private static let scheme = "http://www.google.com/reader/"

    var bytes: [UInt8] {
        XMLWriter.document("feed", ["xmlns": "http://www.w3.org/2005/Atom"]) { xml in
            xml.element("id", text: address)
            xml.element("title", text: title)
            xml.element("updated", text: items.first.map(Self.time) ?? "1970-01-01T00:00:00Z")
            xml.element("link", ["rel": "alternate", "type": "text/html", "href": address])
            for item in items { xml.element("entry") { Self.write(item, to: &$0) } }
        }
    }

    private static func write(_ item: JSON, to xml: inout XMLWriter) {
        xml.element("id", text: item["id"]?.string)
        xml.element("title", text: item["title"]?.string)
        xml.element("published", text: time(item))
        xml.element("updated", text: time(item))
        if let author = item["author"]?.string, !author.isEmpty {
            xml.element("author") { $0.element("name", text: author) }
        }
        if let address = item["canonical"]?.array?.first?["href"]?.string {
            xml.element("link", ["rel": "alternate", "type": "text/html", "href": address])
        }
        for file in item["enclosure"]?.array ?? [] {
            xml.element(
                "link", ["rel": "enclosure", "type": file["type"]?.string, "href": file["href"]?.string])
        }
        var isRead = false
        for category in (item["categories"]?.array ?? []).compactMap(\.string) {
            let label = String(category.split(separator: "/").last ?? "")
            if category == "user/-/state/com.google/read" { isRead = true }
            xml.element("category", ["term": category, "scheme": scheme, "label": label])
        }
        if !isRead {
            xml.element("category", ["term": "user/-/state/com.google/fresh", "scheme": scheme, "label": "fresh"])
        }
        xml.element("content", ["type": "html"], text: item["summary"]?["content"]?.string)
    }

    /// The time of an item in RFC 3339, from its microseconds.
    private static func time(_ item: JSON) -> String {
        RFC3339.text((item["timestampUsec"]?.string.flatMap { Int($0) } ?? 0) / 1_000_000)
    }
}

/// Times as Atom writes them.
enum RFC3339 {
    /// - Parameter seconds: since 1970, not negative.
    static func text(_ seconds: Int) -> String {
        let (days, rest) = (max(0, seconds) / 86_400, max(0, seconds) % 86_400)
        // The civil date of a day number, in years that begin in March.
        // Source: https://howardhinnant.github.io/date_algorithms.html#civil_from_days
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map(twoDigits).joined(separator: ":")
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))T\(time)Z"
    }

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
