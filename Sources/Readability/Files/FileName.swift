import Text

/// The last path component of a file's URL, used as its title if it has no other.
public enum FileName {
    public static func of(_ url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        // Drop scheme and host; what follows is the path.
        guard let name = path.split(separator: "/").dropFirst(2).last else { return nil }
        return OneLine.of(decoded(name), limit: 500)
    }

    /// Decodes percent escapes. Returns the name unchanged if the result is not valid UTF-8. Escapes of control
    /// characters stay.
    private static func decoded(_ name: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let decoded = UInt8(hexadecimal: rest[rest.startIndex], rest[rest.startIndex + 1]), decoded >= 0x20,
                decoded != 0x7F
            {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(name)
    }
}
