/// Maps the names of elements or attributes to small integers: known names first, then the names this document adds.
struct NameTable: Sendable {
    /// All spellings concatenated: the name with code n is `starts[n]..<starts[n + 1]`.
    private(set) var bytes: [UInt8] = []
    private var starts: [Int32] = [0]
    private var hashes: [UInt32] = []
    /// Codes by the hash of their names, with open addressing; -1 marks a free slot. At most half of the slots are
    /// used.
    private var slots: [Int32] = Array(repeating: -1, count: 512)

    static let elements = NameTable(known: Tag.spellings)
    static let attributes = NameTable(known: AttributeName.spellings)

    /// Differs in every process, so that no page can be crafted whose names all collide.
    private static let seed = UInt32.random(in: 0 ... .max)

    private init(known: [String]) {
        for name in known {
            let name = Array(name.utf8)
            _ = code(of: name, from: 0, to: name.count)
        }
    }

    /// Number of names: one more than the largest code.
    var count: Int { hashes.count }

    func spelling(_ code: UInt32) -> String { String(decoding: bytes[range(of: code)], as: UTF8.self) }

    /// Returns the range of a name in ``bytes``.
    func range(of code: UInt32) -> Range<Int> { Int(starts[Int(code)])..<Int(starts[Int(code) + 1]) }

    /// Returns the name's code, adding the name if it is new.
    mutating func code(of name: String) -> UInt32 {
        let name = Array(name.utf8)
        return code(of: name, from: 0, to: name.count)
    }

    /// Returns the code of a name within a text, adding the name if it is new. With `isFolding`, ASCII capitals match
    /// lower case.
    mutating func code(of text: [UInt8], from start: Int, to end: Int, isFolding: Bool = false) -> UInt32 {
        let hash = NameTable.hash(text, start, end, isFolding)
        let (slot, known) = find(text, start, end, isFolding, hash)
        if known >= 0 { return UInt32(known) }
        let code = Int32(hashes.count)
        for index in start..<end { bytes.append(isFolding ? lowercase(text[index]) : text[index]) }
        starts.append(Int32(bytes.count))
        hashes.append(hash)
        slots[slot] = code
        if hashes.count * 2 > slots.count { grow() }
        return UInt32(code)
    }

    /// Returns the name's code, or nil if the document has no such name.
    func knownCode(of name: String) -> UInt32? {
        let name = Array(name.utf8)
        let hash = NameTable.hash(name, 0, name.count, false)
        let code = find(name, 0, name.count, false, hash).code
        return code >= 0 ? UInt32(code) : nil
    }

    private func find(
        _ text: [UInt8], _ start: Int, _ end: Int, _ isFolding: Bool, _ hash: UInt32
    ) -> (slot: Int, code: Int32) {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let code = Int(slots[slot])
            if hashes[code] == hash, isName(code, text, start, end, isFolding) { return (slot, slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (slot, -1)
    }

    private func isName(_ code: Int, _ text: [UInt8], _ start: Int, _ end: Int, _ isFolding: Bool) -> Bool {
        let name = Int(starts[code])
        guard Int(starts[code + 1]) - name == end - start else { return false }
        for place in 0..<end - start {
            let byte = isFolding ? lowercase(text[start + place]) : text[start + place]
            if bytes[name + place] != byte { return false }
        }
        return true
    }

    /// FNV-1a with extra mixing after each byte. Source: http://www.isthe.com/chongo/tech/comp/fnv/
    @inline(__always)
    private static func hash(_ text: [UInt8], _ start: Int, _ end: Int, _ isFolding: Bool) -> UInt32 {
        var hash = seed
        for index in start..<end {
            hash = (hash ^ UInt32(isFolding ? lowercase(text[index]) : text[index])) &* 0x0100_0193
            hash ^= hash >> 15
        }
        return hash
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (code, hash) in hashes.enumerated() {
            var slot = Int(hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(code)
        }
    }
}
