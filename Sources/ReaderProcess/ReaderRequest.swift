import Confinement

/// A request to read one page or file.
package struct ReaderRequest: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// The HTML page as an article.
        case page = 1
        /// Only the text of an HTML page that exceeded a limit.
        case text = 2
        case plainText = 3
        case markdown = 4
        case pdf = 5
        case epub = 6
        /// All of an HTML page, in which no article was found.
        case wholePage = 7
    }

    package var kind: Kind
    package var url: String
    /// The page or the file. Text is in UTF-8.
    package var html: [UInt8]
    /// The HTTP status, unless it is a success.
    package var status: UInt16?

    package var message: Message {
        let status = status.map { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        return Message([[kind.rawValue], Array(url.utf8), html, status])
    }

    package init(_ kind: Kind, url: String, html: [UInt8], status: UInt16? = nil) {
        self.kind = kind
        self.url = url
        self.html = html
        self.status = status
    }

    package init?(_ message: Message) {
        guard message.fields.count == 4, let kind = message.fields[0]?.first.flatMap(Kind.init),
            let url = message.fields[1], let html = message.fields[2]
        else { return nil }
        var status: UInt16?
        if let bytes = message.fields[3] {
            guard bytes.count == 2 else { return nil }
            status = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        }
        self.init(kind, url: String(decoding: url, as: UTF8.self), html: html, status: status)
    }
}
