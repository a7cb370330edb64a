/// A file in a tar archive of the POSIX format (pax). Files of 8 GiB and more have their size in GNU's binary form,
/// which GNU tar, bsdtar and Python read, too.
public struct TarEntry: Sendable, Equatable {
    /// A relative path with `/` between its parts.
    public var name: String
    /// The bytes that follow; 0 for a hard link.
    public var size: Int
    /// The permission bits.
    public var mode: UInt32
    /// Seconds since 1970.
    public var modified: Int
    /// The name of an earlier entry that is the same file.
    public var hardLink: String?

    public init(name: String, size: Int, mode: UInt32 = 0o600, modified: Int, hardLink: String? = nil) {
        self.name = name
        self.size = size
        self.mode = mode
        self.modified = modified
        self.hardLink = hardLink
    }

    /// The size of a header, and what the size of each file is rounded up to.
    public static let blockSize = 512

    /// The bytes of an archive's end.
    public static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    /// The zeros that follow the content.
    public var paddingSize: Int { Self.padding(of: size) }

    private static func padding(of size: Int) -> Int { (blockSize - size % blockSize) % blockSize }

    // MARK: - The header

    /// Where a field is in the header.
    private enum Field {
        static let name = 0..<100, mode = 100..<108, user = 108..<116, group = 116..<124, size = 124..<136
        static let modified = 136..<148, checksum = 148..<156, type = 156, linkName = 157..<257
        static let magic = 257..<265
    }

    private static let magic = Array("ustar\u{0}00".utf8)

    /// The blocks before the content. A long name is in an extended header (pax) before the usual one.
    ///
    /// - Throws: `badName` for a name that cannot be in an archive.
    public func header() throws(TarError) -> [UInt8] {
        var records: [UInt8] = []
        for (key, name) in [("path", name), ("linkpath", hardLink)] {
            guard let name else { continue }
            guard !name.isEmpty, name.utf8.count <= Self.maxName, !name.utf8.contains(0) else { throw .badName(name) }
            if name.utf8.count > Field.name.count { records += Self.record(key, name) }
        }
        let usual = block(type: hardLink == nil ? "0" : "1", name: name, size: size)
        if records.isEmpty { return usual }
        let padding = [UInt8](repeating: 0, count: Self.padding(of: records.count))
        return block(type: Self.extended, name: "pax", size: records.count) + records + padding + usual
    }

    private func block(type: Character, name: String, size: Int) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        block.replaceSubrange(from: Field.name, with: Self.beginning(of: name))
        let target = type == "1" ? hardLink ?? "" : ""
        block.replaceSubrange(from: Field.linkName, with: Self.beginning(of: target))
        block[Field.type] = type.asciiValue ?? 0
        block.replaceSubrange(from: Field.mode, with: Self.octal(Int(mode), digits: 7))
        block.replaceSubrange(from: Field.user, with: Self.octal(0, digits: 7))
        block.replaceSubrange(from: Field.group, with: Self.octal(0, digits: 7))
        block.replaceSubrange(from: Field.size, with: Self.number(size))
        block.replaceSubrange(from: Field.modified, with: Self.number(max(modified, 0)))
        block.replaceSubrange(from: Field.magic, with: Self.magic)
        let sum = Self.octal(Self.checksum(of: block[...]), digits: 6)
        block.replaceSubrange(from: Field.checksum, with: sum + [0, 32])
        return block
    }

    /// As much of a name as fits in its field, in whole characters.
    private static func beginning(of name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in name.unicodeScalars {
            let encoded = UTF8.encode(character).map(Array.init) ?? []
            if bytes.count + encoded.count > Field.name.count { break }
            bytes += encoded
        }
        return bytes
    }

    /// Parses the blocks before a content.
    ///
    /// - Parameter read: reads that many bytes.
    /// - Returns: nil for a block of zeros, which ends an archive.
    public init?<Failure>(
        reading read: (Int) throws(Failure) -> [UInt8], damaged: (TarError) -> Failure
    ) throws(Failure) {
        var records: [String: String] = [:]
        while true {
            let block = try read(Self.blockSize)
            if block.allSatisfy({ $0 == 0 }), records.isEmpty { return nil }
            guard let parsed = Self.parsed(block) else { throw damaged(.badHeader) }
            self = parsed.entry
            switch parsed.type {
            case "0": hardLink = nil
            case "1":
                hardLink = records["linkpath"] ?? hardLink
                size = 0
            case Self.extended where records.isEmpty && size > 0 && size <= Self.maxRecords:
                let content = try read(size + paddingSize)
                records = Self.records(in: content[..<size])
                if !records.isEmpty { continue }
                throw damaged(.badHeader)
            default: throw damaged(.badHeader)
            }
            name = records["path"] ?? name
            return
        }
    }

    /// A block with its type; nil unless its checksum is right.
    private static func parsed(_ block: [UInt8]) -> (entry: TarEntry, type: Character)? {
        guard block[Field.magic].elementsEqual(magic),
            value(block[Field.checksum]) == checksum(of: block[...]),
            let size = value(block[Field.size]), let mode = value(block[Field.mode]),
            let modified = value(block[Field.modified]), let name = text(block[Field.name]),
            let target = text(block[Field.linkName])
        else { return nil }
        let mode32 = UInt32(truncatingIfNeeded: mode) & 0o7777
        let entry = TarEntry(name: name, size: size, mode: mode32, modified: modified, hardLink: target)
        return (entry, Character(Unicode.Scalar(block[Field.type])))
    }

    // MARK: - Extended headers

    /// The type of an extended header for the next entry.
    private static let extended: Character = "x"
    /// The longest name, in bytes.
    private static let maxName = 1_000
    private static let maxRecords = 4_096

    /// A line of its own length in decimal, a keyword and a value.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while "\(length)".utf8.count + rest.utf8.count != length { length = "\(length)".utf8.count + rest.utf8.count }
        return Array("\(length)\(rest)".utf8)
    }

    /// The values by keyword; empty if a record is malformed.
    private static func records(in content: ArraySlice<UInt8>) -> [String: String] {
        var (found, rest) = ([String: String](), content)
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let length = Int(String(decoding: digits, as: UTF8.self)), length <= rest.count,
                length > digits.count + 2,
                let text = String(
                    validating: rest.prefix(length).dropFirst(digits.count + 1).dropLast(), as: UTF8.self),
                let equals = text.firstIndex(of: "=")
            else { return [:] }
            found[String(text[..<equals])] = String(text[text.index(after: equals)...])
            rest = rest.dropFirst(length)
        }
        return found
    }

    /// The sum of all bytes, those of the checksum counted as spaces.
    private static func checksum(of block: ArraySlice<UInt8>) -> Int {
        block.indices.reduce(0) { $0 + (Field.checksum.contains($1) ? 32 : Int(block[$1])) }
    }

    private static func octal(_ value: Int, digits: Int) -> [UInt8] {
        let text = String(value, radix: 8).utf8
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
    }

    /// Eleven octal digits, or for larger numbers eight bytes after a mark.
    private static func number(_ value: Int) -> [UInt8] {
        if value < 1 << 33 { return octal(value, digits: 11) }
        return [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }

    private static func value(_ field: ArraySlice<UInt8>) -> Int? {
        if field.first == 0x80 {
            let bytes = field.dropFirst(4)
            guard field.count == 12, bytes.first.map({ $0 < 0x80 }) == true else { return nil }
            return bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        let digits = field.prefix { $0 != 0 && $0 != 32 }
        // Without the check a sign would count.
        guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        String(validating: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func replaceSubrange(from field: Range<Int>, with bytes: [UInt8]) {
        replaceSubrange(field.lowerBound..<field.lowerBound + bytes.count, with: bytes)
    }
}

/// The reason an archive cannot be written or read.
public enum TarError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name is empty, longer than 1,000 bytes, or contains a NUL.
    case badName(String)
    /// A header is damaged, or it is of a kind of file that is not used here.
    case badHeader

    public var description: String {
        switch self {
        case .badName(let name): "the name \(name) does not fit in a tar archive"
        case .badHeader: "it is not a tar archive, or a header in it is damaged"
        }
    }
}
