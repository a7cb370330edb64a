/// An encoding of the WHATWG Encoding standard.
struct Encoding: Equatable, Hashable, Sendable {
    /// The standard's name in lower case.
    let name: String

    static let utf8 = Encoding(name: "utf-8")
    static let utf16BE = Encoding(name: "utf-16be")
    static let utf16LE = Encoding(name: "utf-16le")
    static let windows1252 = Encoding(name: "windows-1252")
    static let iso2022JP = Encoding(name: "iso-2022-jp")
    static let userDefined = Encoding(name: "x-user-defined")
    /// Stands for encodings that are dangerous to decode: the whole text becomes one U+FFFD.
    static let replacement = Encoding(name: "replacement")

    private init(name: String) { self.name = name }

    /// The encoding of a label, or nil for an unknown label. Case and surrounding white space do not matter.
    init?(label: String) {
        let bytes = label.utf8.drop { $0 <= 0x20 }
        let trimmed = String(decoding: bytes.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self).lowercased()
        guard let name = EncodingLabels.names[trimmed] else { return nil }
        self.name = name
    }

    /// The meaning of a declaration inside the page, which was read as ASCII and therefore cannot be UTF-16 (HTML
    /// standard, prescan).
    var asDeclaredInPage: Encoding {
        switch self {
        case .utf16BE, .utf16LE: .utf8
        case .userDefined: .windows1252
        default: self
        }
    }
}
