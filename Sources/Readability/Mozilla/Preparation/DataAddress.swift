import HTML
import Links

/// A base64 `data:` URL.
struct DataAddress {
    /// The media type, as written.
    let type: String
    /// The number of base64 characters, without the line ends and tabs that browsers remove.
    let length: Int

    init?(_ written: String) {
        let start = written.utf8.drop { $0 <= 0x20 }
        guard start.prefix(5).map(lowercased).elementsEqual("data:".utf8),
            let text = WebAddress(written)?.text.utf8.dropFirst(5), let comma = text.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let parts = text[..<comma].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { WhiteSpace.trim(String(decoding: Array($0), as: UTF8.self)) }
        guard parts.count == 2, parts[1].lowercased() == "base64", !parts[0].isEmpty,
            !parts[0].utf8.contains(where: WhiteSpace.isASCII)
        else { return nil }
        type = parts[0]
        length = text[comma...].dropFirst().count
    }
}
