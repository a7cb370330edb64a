import JSON
import MarkdownFiles

/// A JSON array of links with everything that belongs to them, one link on each line.
struct JSONFormat: LinkFormat {
    static let parts = "articles"

    let head = "["
    var foot: String { isFirst ? "]\n" : "\n]\n" }
    private var isFirst = true

    mutating func piece(of link: ExportedLink) -> [UInt8] {
        guard case .object(var members) = link.members else { return [] }
        members.append(.init("content", link.content.map { .string($0) } ?? .null))
        defer { isFirst = false }
        return Array((isFirst ? "\n" : ",\n").utf8) + JSON.object(members).bytes
    }
}
