import FoundationEssentials
import Glibc

/// A mail as it is sent: headers, text (RFC 5322), perhaps as HTML, too, and perhaps a file (RFC 2046), in lines that end
/// with CR LF.
public struct MailMessage: Sendable, Equatable {
    let sender: MailAddress
    let recipient: MailAddress
    let bytes: [UInt8]

    /// - Parameters:
    ///   - senderName: the name shown beside the sender's address.
    ///   - html: the body as HTML. Mail programs show it or the text.
    ///   - id: identifies the mail. It is the same for every attempt, so that mail programs recognise a duplicate.
    ///   - date: seconds since 1970.
    ///   - attachment: the file that the mail carries.
    public init(
        from sender: MailAddress, senderName: String, to recipient: MailAddress, subject: String, body: String,
        html: String? = nil, id: String, date: Int, attachment: MailAttachment? = nil
    ) {
        self.sender = sender
        self.recipient = recipient
        let name = id.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        // No line of a text can be a boundary: nobody who writes a text knows the id.
        var content = Self.part(body, as: "plain")
        if let html {
            // The last part is the best one (RFC 2046, section 5.1.4).
            content = Self.multipart("alternative", [content, Self.part(html, as: "html")], boundary: "=_\(name)-text")
        }
        if let attachment {
            content = Self.multipart("mixed", [content, attachment.part], boundary: "=_\(name)")
        }
        let headers = [
            "Date: " + Self.date(date),
            "From: \(HeaderText.encoded(senderName, after: 6, isPhrase: true)) <\(sender.text)>",
            "To: <\(recipient.text)>",
            "Subject: " + HeaderText.encoded(subject, after: 9, isPhrase: false),
            "Message-ID: <\(name)@\(sender.host)>",
            // Prevents out-of-office replies (RFC 3834).
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ]
        bytes = Array((headers.joined(separator: "\r\n") + "\r\n").utf8) + content
    }

    /// A text with its own headers. It ends with CR LF.
    private static func part(_ body: String, as subtype: String) -> [UInt8] {
        let text = withLineFeeds(body)
        let isPlain = isPlain(text)
        return Array(
            [
                "Content-Type: text/\(subtype); charset=utf-8",
                "Content-Transfer-Encoding: " + (isPlain ? "7bit" : "quoted-printable"),
                "", isPlain ? text.replacing("\n", with: "\r\n") : QuotedPrintable.encoded(text),
            ].joined(separator: "\r\n").utf8)
    }

    /// Parts with their own headers as one part. The line break before a boundary belongs to the boundary.
    private static func multipart(_ subtype: String, _ parts: [[UInt8]], boundary: String) -> [UInt8] {
        var bytes = Array("Content-Type: multipart/\(subtype); boundary=\"\(boundary)\"\r\n".utf8)
        for part in parts { bytes += Array("\r\n--\(boundary)\r\n".utf8) + part }
        return bytes + Array("\r\n--\(boundary)--\r\n".utf8)
    }

    /// The text with every line ended by LF, including the last.
    private static func withLineFeeds(_ body: String) -> String {
        // By scalars, since CR LF is one Character in Swift.
        var text = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in body.unicodeScalars {
            if scalar == "\n", isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = scalar == "\r"
            text.append(isAfterReturn ? "\n" : scalar)
        }
        if text.last != "\n" { text.append("\n") }
        return String(text)
    }

    /// Whether the text is printable ASCII in lines of at most 998 bytes, and needs no encoding (RFC 5322, section
    /// 2.1.1).
    private static func isPlain(_ text: String) -> Bool {
        text.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { line in
            line.utf8.count <= 998 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
        }
    }

    private static func date(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][Int(parts.tm_mon)]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1_900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) +0000"
    }
}
