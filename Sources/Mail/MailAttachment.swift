import FoundationEssentials

/// A file that a mail carries.
public struct MailAttachment: Sendable, Equatable {
    /// The name of the file, in any script.
    public var name: String
    public var mediaType: String
    public var content: [UInt8]

    public init(name: String, mediaType: String, content: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }

    /// The part of a multipart mail: its headers, an empty line, and base 64 in lines of 76 bytes (RFC 2045, section 6.8).
    var part: [UInt8] {
        let headers = [
            "Content-Type: \(mediaType)",
            "Content-Transfer-Encoding: base64",
            "Content-Disposition: attachment" + HeaderParameter.encoded("filename", name),
        ]
        let text = Data(content).base64EncodedData(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])
        return Array((headers.joined(separator: "\r\n") + "\r\n\r\n").utf8) + text + Array("\r\n".utf8)
    }
}
