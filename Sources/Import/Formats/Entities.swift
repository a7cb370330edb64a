import Text

/// HTML entities in titles and tags: services export them as their pages had them.
enum Entities {
    static func decoded(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "&")) ? CharacterReferences.standard.decoded(text) : text
    }
}
