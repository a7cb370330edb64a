import JSON

/// One line of `lectern doctor`.
struct Finding: Equatable {
    enum State: String {
        case ok
        /// Worth knowing; the exit status stays 0.
        case warning
        case wrong
    }

    /// What was looked at, in a word.
    var topic: String
    var state: State
    var text: String
    /// What to do.
    var advice: String?

    static func ok(_ topic: String, _ text: String) -> Finding { Finding(topic: topic, state: .ok, text: text) }

    static func warning(_ topic: String, _ text: String, _ advice: String) -> Finding {
        Finding(topic: topic, state: .warning, text: text, advice: advice)
    }

    static func wrong(_ topic: String, _ text: String, _ advice: String) -> Finding {
        Finding(topic: topic, state: .wrong, text: text, advice: advice)
    }

    var line: String {
        let columns = state.rawValue.padded(to: 8) + topic.padded(to: 12) + text
        return advice.map { "\(columns)\n\("".padded(to: 20))→ \($0)" } ?? columns
    }

    var object: String {
        JSONText.object([
            ("topic", JSONText.string(topic)), ("state", JSONText.string(state.rawValue)),
            ("text", JSONText.string(text)), ("advice", JSONText.string(advice)),
        ])
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
