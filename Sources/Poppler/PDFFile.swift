import CPoppler

/// One PDF file in memory, read by Poppler. Closed with its owner.
///
/// Poppler is large and parses untrusted files, so this type must only be used in a confined process.
public struct PDFFile: ~Copyable {
    public enum Failure: Error, Equatable {
        /// The file needs a password.
        case encrypted
        case damaged
    }

    private let handle: OpaquePointer

    public init(_ bytes: [UInt8]) throws(Failure) {
        var reason: Int32 = 0
        let opened = bytes.withUnsafeBytes { pdf_open($0.baseAddress, $0.count, &reason) }
        guard let opened else { throw reason == Int32(pdf_encrypted) ? .encrypted : .damaged }
        handle = opened
    }

    deinit { pdf_close(handle) }

    public var pageCount: Int { max(0, Int(pdf_page_count(handle))) }
    /// The title and the author from the file's metadata.
    public var title: String? { Self.string(pdf_title(handle)) }
    public var author: String? { Self.string(pdf_author(handle)) }

    /// Returns the lines of a page in reading order. Empty if there is no such page or no text on it.
    ///
    /// - Parameter number: the page's index from 0.
    public func lines(ofPage number: Int) -> [PDFLine] {
        var boxes: UnsafeMutablePointer<pdf_box>?
        var count: UInt32 = 0
        var height = 0.0
        let text = pdf_page_text(handle, Int32(clamping: number), &boxes, &count, &height)
        defer { pdf_free(boxes) }
        guard let text = Self.string(text) else { return [] }
        var lines: [PDFLine] = []
        var line = PDFLine(pageHeight: height)
        // There is a box for each character, including line ends.
        for (place, scalar) in text.unicodeScalars.enumerated() {
            guard scalar != "\n" else {
                if !line.text.isEmpty { lines.append(line) }
                line = PDFLine(pageHeight: height)
                continue
            }
            line.text.unicodeScalars.append(scalar)
            if let boxes, place < count, !scalar.properties.isWhitespace { line.extend(by: boxes[place]) }
        }
        if !line.text.isEmpty { lines.append(line) }
        return lines
    }

    /// - Parameter text: a C string, which this function frees.
    private static func string(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { pdf_free(text) }
        return String(cString: text)
    }
}

extension PDFLine {
    fileprivate mutating func extend(by box: pdf_box) {
        // Damaged files have boxes with values that are not finite numbers.
        guard box.left.isFinite, box.right.isFinite, box.top.isFinite, box.bottom.isFinite else { return }
        guard right > left || bottom > top else {
            (left, top, right, bottom) = (box.left, box.top, box.right, box.bottom)
            return
        }
        (left, top) = (min(left, box.left), min(top, box.top))
        (right, bottom) = (max(right, box.right), max(bottom, box.bottom))
    }
}
