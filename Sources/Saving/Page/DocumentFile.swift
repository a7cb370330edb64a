import Charsets
import Glibc
import Import

/// A document of a user: the file that a link is.
struct DocumentFile: Sendable, Equatable {
    /// The path of the file.
    var path: String
    var kind: DocumentKind
    /// The file's own name.
    var name: String

    /// Whether the address of a link is a document's, which has nothing to fetch.
    static func isAddress(_ url: String) -> Bool { url.hasPrefix("urn:sha256:") }

    /// The title of a document without one: its name without the ending.
    var title: String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= Self.longestEnding
        else { return name }
        return String(name[..<dot])
    }

    /// Characters of an ending, with its dot.
    private static let longestEnding = 10

    /// Why a document has nothing to read.
    enum Unreadable: Error {
        case missing
        case tooLarge
    }

    /// The document as a page to read.
    ///
    /// - Parameters:
    ///   - url: of the link.
    ///   - limit: bytes that a reader process accepts. Of longer text the beginning is read.
    func page(url: String, limit: Int) throws(Unreadable) -> Page {
        let bytes = try content(limit: limit)
        var page = Page(url: url, contentType: kind.rawValue, html: nil, origin: .stored(.client))
        switch kind {
        case .pdf: page.file = .pdf(bytes)
        case .epub: page.file = .epub(bytes)
        case .html: page.html = Charsets.decode(bytes, headerLabel: nil).text
        case .markdown: page.file = .markdown(Array(Charsets.decode(bytes, headerLabel: nil).text.utf8))
        case .text: page.file = .plainText(Array(Charsets.decode(bytes, headerLabel: nil).text.utf8))
        }
        return page
    }

    private var isText: Bool { ![.pdf, .epub].contains(kind) }

    /// The file's bytes, as many as are read.
    private func content(limit: Int) throws(Unreadable) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw .missing }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .missing }
        guard isText || Int(status.st_size) <= limit else { throw .tooLarge }
        let wanted = min(Int(status.st_size), limit)
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            while count < wanted {
                // The buffer has an address: the loop runs only when `wanted` is above 0.
                let more = read(file, buffer.baseAddress! + count, wanted - count)
                if more < 0, errno == EINTR { continue }
                failed = more < 0
                if more <= 0 { break }
                count += more
            }
        }
        guard !failed else { throw .missing }
        return bytes
    }
}
