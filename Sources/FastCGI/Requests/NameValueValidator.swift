/// Checks the name-value pairs across records, which may split them anywhere.
struct NameValueValidator {
    private enum Place {
        case nameLength, valueLength
        /// Inside a name and its value, which need not be distinguished.
        case text
    }

    private var place = Place.nameLength
    /// Missing bytes of the current length or text. 0 before the first byte of a length.
    private var missing = 0
    private var length = 0
    private var nameLength = 0

    var isBetweenPairs: Bool { place == .nameLength && missing == 0 }

    /// Returns the flaw of the next piece, or nil.
    mutating func feed(_ piece: UnsafeRawBufferPointer) -> RecordValidator.Flaw? {
        var rest = piece[...]
        while let byte = rest.first {
            if place == .text {
                let run = rest.prefix(missing)
                // libfcgi ends names and values with NUL. A NUL inside one would hide the rest of it.
                if run.contains(0) { return .nul }
                missing -= run.count
                rest = rest.dropFirst(run.count)
                if missing == 0 { place = .nameLength }
                continue
            }
            rest = rest.dropFirst()
            if !takeLengthByte(byte) { continue }
            if length > RecordValidator.limit { return .parameterLength }
            nextPlace()
        }
        return nil
    }

    /// A length is one byte, or four when the first has its top bit set. Returns true when it is complete.
    private mutating func takeLengthByte(_ byte: UInt8) -> Bool {
        if missing > 0 {
            length = length << 8 | Int(byte)
            missing -= 1
        } else {
            length = Int(byte & 0x7f)
            missing = byte & 0x80 == 0 ? 0 : 3
        }
        return missing == 0
    }

    private mutating func nextPlace() {
        if place == .nameLength {
            nameLength = length
            place = .valueLength
        } else {
            missing = nameLength + length
            place = missing == 0 ? .nameLength : .text
        }
    }
}
