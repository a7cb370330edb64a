/// A table of Lua as KOReader writes it: texts, numbers, booleans and tables, nothing else.
struct LuaTable: Equatable {
    indirect enum Value: Equatable {
        case text(String)
        case number(Double)
        case bool(Bool)
        case none
        case table(LuaTable)

        var text: String? {
            if case .text(let text) = self, !text.isEmpty { text } else { nil }
        }

        /// The member of a table.
        subscript(_ name: String) -> Value? {
            if case .table(let table) = self { table[name] } else { nil }
        }

        /// The values of a table, in the order of the file.
        var values: [Value] {
            if case .table(let table) = self { table.entries.map(\.value) } else { [] }
        }
    }

    private struct Entry: Equatable {
        /// Nil: the key is a number or has none.
        var name: String?
        var value: Value
    }

    private var entries: [Entry] = []

    /// The last value with this name.
    subscript(_ name: String) -> Value? { entries.last { $0.name == name }?.value }

    /// Whether a text is a file that returns a value, after comments.
    static func begins(_ text: String) -> Bool {
        var reader = Reader(text)
        return reader.word() == "return"
    }

    /// Reads the table that a file returns; nil for anything else.
    init?(parsing text: String) {
        var reader = Reader(text)
        do throws(Malformed) {
            guard reader.word() == "return", case .table(let table) = try reader.value(depth: 0) else { return nil }
            self = table
        } catch {
            return nil
        }
    }

    private init() {}

    private struct Malformed: Error {}

    /// Reads UTF-8 from the start on.
    private struct Reader {
        /// Values in a file, and tables inside each other. A file of some megabytes has fewer.
        private static let maxValues = 500_000
        private static let maxDepth = 50

        private let bytes: [UInt8]
        private var place = 0
        private var count = 0

        init(_ text: String) { bytes = Array(text.utf8) }

        private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

        private mutating func skip() {
            while let byte = next {
                if byte == 0x20 || (0x09...0x0D).contains(byte) {
                    place += 1
                } else if byte == UInt8(ascii: "-"), place + 1 < bytes.count, bytes[place + 1] == byte {
                    place = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
                } else {
                    return
                }
            }
        }

        private mutating func take(_ sign: UInt8) -> Bool {
            skip()
            guard next == sign else { return false }
            place += 1
            return true
        }

        mutating func word() -> String? {
            skip()
            let start = place
            while let byte = next, isLetter(byte) || place > start && isDigit(byte) { place += 1 }
            return place > start ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
        }

        private func isLetter(_ byte: UInt8) -> Bool {
            (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        }

        private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        mutating func value(depth: Int) throws(Malformed) -> Value {
            count += 1
            guard count <= Self.maxValues, depth <= Self.maxDepth else { throw Malformed() }
            if take(UInt8(ascii: "{")) { return .table(try table(depth)) }
            if take(UInt8(ascii: "\"")) { return .text(try text(endedBy: UInt8(ascii: "\""))) }
            if take(UInt8(ascii: "'")) { return .text(try text(endedBy: UInt8(ascii: "'"))) }
            if let byte = next, isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") {
                return .number(try number())
            }
            switch word() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "nil": return .none
            default: throw Malformed()
            }
        }

        private mutating func table(_ depth: Int) throws(Malformed) -> LuaTable {
            var table = LuaTable()
            while !take(UInt8(ascii: "}")) {
                table.entries.append(try entry(depth))
                guard take(UInt8(ascii: ",")) || take(UInt8(ascii: ";")) else {
                    guard take(UInt8(ascii: "}")) else { throw Malformed() }
                    return table
                }
            }
            return table
        }

        private mutating func entry(_ depth: Int) throws(Malformed) -> Entry {
            if take(UInt8(ascii: "[")) {
                let key = try value(depth: depth + 1)
                guard take(UInt8(ascii: "]")), take(UInt8(ascii: "=")) else { throw Malformed() }
                let name: String? = if case .text(let text) = key { text } else { nil }
                return Entry(name: name, value: try value(depth: depth + 1))
            }
            let start = place
            if let name = word(), take(UInt8(ascii: "=")) {
                return Entry(name: name, value: try value(depth: depth + 1))
            }
            place = start
            return Entry(name: nil, value: try value(depth: depth + 1))
        }

        private mutating func number() throws(Malformed) -> Double {
            let start = place
            while let byte = next, isDigit(byte) || isLetter(byte) || "+-.".utf8.contains(byte) { place += 1 }
            guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else { throw Malformed() }
            return number
        }

        /// KOReader writes UTF-8 as it is. Numbers stand for single bytes, and a backslash before a line break for the
        /// line break.
        private mutating func text(endedBy end: UInt8) throws(Malformed) -> String {
            var text: [UInt8] = []
            while let byte = next, byte != end {
                place += 1
                guard byte == UInt8(ascii: "\\") else {
                    text.append(byte)
                    continue
                }
                guard let escaped = next else { throw Malformed() }
                if isDigit(escaped) {
                    var number = 0
                    for _ in 0..<3 {
                        guard let digit = next, isDigit(digit) else { break }
                        number = number * 10 + Int(digit - 0x30)
                        place += 1
                    }
                    text.append(UInt8(truncatingIfNeeded: number))
                } else {
                    place += 1
                    if !Self.unseen.contains(escaped) { text.append(Self.escapes[escaped] ?? escaped) }
                }
            }
            guard take(end) else { throw Malformed() }
            return String(decoding: text, as: UTF8.self)
        }

        /// What a letter after a backslash stands for.
        private static let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D,
        ]
        /// Letters after a backslash that stand for nothing that can be seen.
        private static let unseen = Set("abfv".utf8)
    }
}
