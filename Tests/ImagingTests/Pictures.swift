import Foundation

/// Small picture files.
enum Pictures {
    /// 8 × 4 red pixels, rotated (orientation 6), with the comment "taken at home" and a GPS latitude.
    static let photo = decode(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/4QBaRXhpZgAATU0AKgAAAAgAAwEOAAIAAAAOAAAAMgESAAMAAAABAAYAAIglAAQAAAABAAAAQAAAAAB0YWtlbiBhdCBob21l\
        AAABAAEAAgAAAAJOAAAAAAAAAP/bAEMAEAsMDgwKEA4NDhIREBMYKBoYFhYYMSMlHSg6Mz08OTM4N0BIXE5ARFdFNzhQbVFXX2JnaGc+TXF5cGR4XGVnY//bAEMB\
        ERISGBUYLxoaL2NCOEJjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY//AABEIAAQACAMBIgACEQEDEQH/xAAfAAABBQEB\
        AQEBAQAAAAAAAAAAAQIDBAUGBwgJCgv/xAC1EAACAQMDAgQDBQUEBAAAAX0BAgMABBEFEiExQQYTUWEHInEUMoGRoQgjQrHBFVLR8CQzYnKCCQoWFxgZGiUmJygp\
        KjQ1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna\
        4eLj5OXm5+jp6vHy8/T19vf4+fr/xAAfAQADAQEBAQEBAQEBAAAAAAAAAQIDBAUGBwgJCgv/xAC1EQACAQIEBAMEBwUEBAABAncAAQIDEQQFITEGEkFRB2FxEyIy\
        gQgUQpGhscEJIzNS8BVictEKFiQ04SXxFxgZGiYnKCkqNTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqCg4SFhoeIiYqSk5SVlpeYmZqio6Sl\
        pqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2dri4+Tl5ufo6ery8/T19vf4+fr/2gAMAwEAAhEDEQA/AMeiiiuE+oP/2Q==
        """)

    /// Three frames of 6 × 5 pixels: red, green, blue.
    static let animation = decode(
        """
        R0lGODlhBgAFAIEAAP8AAAAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAABgAFAAAIDAABCBxIsKDBgwIDAgAh+QQBCgABACwAAAAABgAF\
        AIEA/wAAAAAAAAAAAAAIDAABCBxIsKDBgwIDAgAh+QQBCgABACwAAAAABgAFAIEAAP8AAAAAAAAAAAAIDAABCBxIsKDBgwIDAgA7
        """)

    /// A PNG that declares this size and ends after the header.
    static func claiming(width: UInt32, height: UInt32) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) } }
        let head = Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + bytes(13) + head + bytes(checksum(head))
            + bytes(0) + Array("IDAT".utf8) + bytes(checksum(Array("IDAT".utf8)))
    }

    /// The CRC-32 of PNG.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    private static func decode(_ text: String) -> [UInt8] { Data(base64Encoded: text).map(Array.init) ?? [] }
}
