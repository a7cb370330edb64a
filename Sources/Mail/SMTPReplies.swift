/// What a server says while a mail is handed over: the last reply that has to do with it, and whether it takes addresses
/// in UTF-8.
struct SMTPReplies {
    struct Reply: Equatable {
        var code: Int
        var words: String
    }

    private(set) var last: Reply?
    private(set) var takesUTF8 = false
    private var isWithinReply = false
    /// In bytes; a sentence is enough for a person, and a server may say as much as it likes.
    private static let longestWords = 500

    /// One line, such as `250-SIZE 1000` or, at a reply's end, `250 OK`.
    mutating func hear(_ line: String) {
        // 221 is the farewell that libcurl still waits for when the mail was refused.
        guard let code = Int(line.prefix(3)), code >= 200, code != 221 else { return }
        let rest = line.dropFirst(3)
        let words = String(
            String.UnicodeScalarView(rest.dropFirst().unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 })
        ).split(separator: " ").joined(separator: " ")
        if isWithinReply, let known = last, known.code == code {
            last?.words = Self.cut(known.words + " " + words)
        } else {
            last = Reply(code: code, words: Self.cut("\(code) \(words)"))
        }
        isWithinReply = rest.first == "-"
        if code == 250, words.split(separator: " ").first?.uppercased() == "SMTPUTF8" { takesUTF8 = true }
    }

    private static func cut(_ words: String) -> String {
        words.utf8.count <= longestWords ? words : String(decoding: words.utf8.prefix(longestWords), as: UTF8.self) + "…"
    }
}
