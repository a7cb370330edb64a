import MarkdownFiles

@testable import Export

/// Links as the database returns them.
enum Links {
    static func link(_ members: String = "", path: String? = nil, content: String? = nil) -> ExportedLink {
        let json = """
            {"id": "0b8f3a52-6f0d-4d6e-9a3c-5d2f1b7e8c90", "url": "https://a.test/?a=1&b=2",
            "created_at": "2026-01-02T03:04:05.678Z", "status": "unread", "list": "read", "starred": false,
            "tags": [], "collections": [], "highlights": []\(members.isEmpty ? "" : ", " + members)}
            """
        // A test that passes no JSON cannot go on.
        return ExportedLink(
            json: Array(json.utf8), path: path.map { Array($0.utf8) }, content: content, savedAt: 1_767_323_045,
            changedAt: 1_767_323_046)!
    }

    static func text<Format: LinkFormat>(_ format: Format, _ links: [ExportedLink]) -> String {
        var format = format
        var text = format.head
        for link in links { text += String(decoding: format.piece(of: link), as: UTF8.self) }
        return text + format.foot
    }
}
