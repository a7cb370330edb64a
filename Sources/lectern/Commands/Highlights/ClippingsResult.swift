import JSON

/// What became of the highlights of a file.
struct ClippingsResult {
    struct Reject {
        var title: String
        var quote: String
        var reason: String

        init(_ title: String, _ quote: String, _ reason: String) {
            self.title = title
            self.quote = quote
            self.reason = reason
        }
    }

    var added = 0
    /// Highlights that were there already.
    var known = 0
    var rejects: [Reject] = []

    private var count: Int { added + known + rejects.count }
    /// Characters of a quote that are printed for people.
    private static let shownLength = 60

    var json: String {
        let rejects = rejects.map { reject in
            JSONText.object([
                ("title", JSONText.string(reject.title)), ("quote", JSONText.string(reject.quote)),
                ("reason", JSONText.string(reject.reason)),
            ])
        }
        return JSONText.object([
            ("highlights", String(count)), ("added", String(added)), ("known", String(known)),
            ("unmatched", String(rejects.count)), ("rejects", "[\(rejects.joined(separator: ", "))]"),
        ])
    }

    var text: String {
        let noun = count == 1 ? "highlight" : "highlights"
        let counts = "\(count) \(noun): \(added) added, \(known) known, \(rejects.count) not matched"
        return ([counts] + rejects.map(Self.line)).joined(separator: "\n")
    }

    private static func line(_ reject: Reject) -> String {
        let quote = reject.quote.count > shownLength ? reject.quote.prefix(shownLength - 1) + "…" : reject.quote[...]
        return Listing.plain("\(reject.title.isEmpty ? "no title" : reject.title), “\(quote)”: \(reject.reason)")
    }
}
