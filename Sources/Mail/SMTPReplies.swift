/// The replies of a server during a submission: the last one about the mail, and whether the server supports UTF-8
/// addresses.
struct SMTPReplies {
    struct Reply: Equatable {
        var code: Int
        var text: String
    }

    private(set) var last: Reply?
    private(set) var supportsUTF8 = false
    private var isWithinReply = false
    /// The longest text that is stored, in bytes. A server may send any amount.
    private static let maxTextBytes = 500

    /// Reads one line, such as `250-SIZE 1000` or, at the end of a reply, `250 OK`.
    mutating func read(_ line: String) {
        // 221 is the reply to QUIT, for which libcurl waits even when the mail was rejected.
        guard let code = Int(line.prefix(3)), code >= 200, code != 221 else { return }
        let rest = line.dropFirst(3)
        let text = Self.withoutControls(rest.dropFirst()).split(separator: " ").joined(separator: " ")
        if isWithinReply, let previous = last, previous.code == code {
            last?.text = Self.truncated(previous.text + " " + text)
        } else {
            last = Reply(code: code, text: Self.truncated("\(code) \(text)"))
        }
        isWithinReply = rest.first == "-"
        if code == 250, text.split(separator: " ").first?.uppercased() == "SMTPUTF8" { supportsUTF8 = true }
    }

    private static func withoutControls(_ text: Substring) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    private static func truncated(_ text: String) -> String {
        text.utf8.count <= maxTextBytes ? text : String(decoding: text.utf8.prefix(maxTextBytes), as: UTF8.self) + "…"
    }
}
