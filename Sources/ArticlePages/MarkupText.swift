/// Text and addresses for HTML.
public enum MarkupText {
    /// Escapes text for element content and for attributes in double quotes.
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A link where the URL is http or https, else the text alone.
    public static func link(to url: String, _ words: String) -> String {
        let start = url.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://") else { return escaped(words) }
        return "<a href=\"\(escaped(url))\" rel=\"noreferrer\">\(escaped(words))</a>"
    }

    /// The relative URL of a file in the page's folder.
    public static func path(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"):
                bytes.append(byte)
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                bytes += Array(("%" + (byte < 16 ? "0" : "") + digits).utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The start of every page. Its content security policy allows no scripts and no requests, whatever an article
    /// contains: the pages are opened from a disk, without a server that could send such a policy.
    public static func head(title: String, lang: String?, dir: String?) -> String {
        let language = lang.flatMap { isLanguage($0) ? " lang=\"\($0)\"" : nil } ?? ""
        let direction =
            dir.map { $0.lowercased() }.flatMap { ["ltr", "rtl", "auto"].contains($0) ? " dir=\"\($0)\"" : nil } ?? ""
        return """
            <!DOCTYPE html>
            <html\(language)\(direction)>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src http: https: data:; media-src http: https:; style-src 'unsafe-inline'">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width">
            <title>\(escaped(title))</title>
            <style>:root { color-scheme: light dark } body { max-width: 40em; margin: 2em auto; padding: 0 1em; font: 1.1em/1.6 serif; overflow-wrap: anywhere } img, video { max-width: 100%; height: auto } pre { overflow: auto } header, small { opacity: .75 } h1, header a { color: inherit }</style>
            </head>
            <body>

            """
    }

    private static func isLanguage(_ tag: String) -> Bool {
        (1...35).contains(tag.utf8.count)
            && tag.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
                    || (0x30...0x39).contains(byte)
            }
    }
}
