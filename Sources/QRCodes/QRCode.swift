import CQREncode

/// A QR code, by libqrencode: a square of dark and light modules.
public struct QRCode: Sendable, Equatable {
    /// Modules in a row, without the quiet zone.
    public let width: Int
    /// Row by row, from the top; true is dark.
    let modules: [Bool]

    /// The light border that readers need, in modules (ISO/IEC 18004, 9.1).
    static let quietZone = 4

    /// Encodes a text as UTF-8. A quarter of the code may be unreadable on a screen with reflections (level Q).
    ///
    /// - Returns: nil for an empty text, one with a NUL character, and one that is too long for a QR code (1,663 bytes).
    public init?(_ text: String) {
        guard !text.utf8.contains(0), let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_Q) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        self.width = width
        // The lowest bit of a module is its colour; the others say what it is for.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    public subscript(row: Int, column: Int) -> Bool { modules[row * width + column] }

    /// An SVG image, dark on light in every theme, one unit a module, with the quiet zone.
    public var svg: String {
        let size = width + 2 * Self.quietZone
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// The dark modules: a rectangle for each run in a row.
    private var path: String {
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let start = column
                while column < width, self[row, column] { column += 1 }
                if column > start {
                    let length = column - start
                    path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
                }
                column += 1
            }
        }
        return path
    }
}
