import CPoppler

/// One PDF file in memory, read by poppler; closed with its owner.
///
/// Poppler is large and reads what strangers made: to be used in a process that has confined itself.
public struct PDFFile: ~Copyable {
    public enum Failure: Error, Equatable {
        /// Nobody reads it without its password.
        case encrypted
        case damaged
    }

    private let handle: OpaquePointer

    public init(_ bytes: [UInt8]) throws(Failure) {
        var why: Int32 = 0
        let opened = bytes.withUnsafeBytes { pdf_open($0.baseAddress, $0.count, &why) }
        guard let opened else { throw why == Int32(pdf_encrypted) ? .encrypted : .damaged }
        handle = opened
    }

    deinit { pdf_close(handle) }

    public var pageCount: Int { max(0, Int(pdf_page_count(handle))) }
    /// As the file's own information has them.
    public var title: String? { Self.string(pdf_title(handle)) }
    public var author: String? { Self.string(pdf_author(handle)) }

    /// The lines of a page in the order in which one reads them; none where there is no such page, or no text on it.
    ///
    /// - Parameter number: 0 and up.
    public func lines(ofPage number: Int) -> [PDFLine] {
        var boxes: UnsafeMutablePointer<pdf_box>?
        var count: UInt32 = 0
        var height = 0.0
        let text = pdf_page_text(handle, Int32(clamping: number), &boxes, &count, &height)
        defer { pdf_free(boxes) }
        guard let text = Self.string(text) else { return [] }
        var lines: [PDFLine] = []
        var line = PDFLine(pageHeight: height)
        // A box for each character, line ends among them.
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

    /// - Parameter text: freed here.
    private static func string(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { pdf_free(text) }
        return String(cString: text)
    }
}

extension PDFLine {
    fileprivate mutating func extend(by box: pdf_box) {
        // Broken files have boxes that are no numbers.
        guard box.left.isFinite, box.right.isFinite, box.top.isFinite, box.bottom.isFinite else { return }
        guard right > left || bottom > top else {
            (left, top, right, bottom) = (box.left, box.top, box.right, box.bottom)
            return
        }
        (left, top) = (min(left, box.left), min(top, box.top))
        (right, bottom) = (max(right, box.right), max(bottom, box.bottom))
    }
}
