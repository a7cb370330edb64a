import HTML

/// The two properties of a `style` attribute that hide an element.
struct InlineStyle {
    private(set) var takesNoRoom = false
    private(set) var makesInvisible = false

    init(_ style: String) {
        var display = ""
        var visibility = ""
        for declaration in style.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch WhiteSpace.trim(String(parts[0])).lowercased() {
            case "display": display = Self.value(parts[1])
            case "visibility": visibility = Self.value(parts[1])
            default: break
            }
        }
        takesNoRoom = display == "none"
        makesInvisible = visibility == "hidden"
    }

    private static func value(_ written: Substring) -> String {
        WhiteSpace.trim(written.lowercased().upTo("!important"))
    }
}

extension String {
    /// Returns the text before a mark, or all of it.
    fileprivate func upTo(_ mark: String) -> String {
        guard let cut = firstOccurrence(of: mark) else { return self }
        return String(self[..<cut])
    }

    private func firstOccurrence(of mark: String) -> Index? {
        indices.first { self[$0...].hasPrefix(mark) }
    }
}
