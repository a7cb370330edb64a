/// IPv6 addresses as RFC 5952 and the URL standard write them.
enum IPv6Text {
    /// Returns the address in brackets, or nil.
    static func canonical(_ text: String) -> String? {
        guard let groups = groups(text) else { return nil }
        // Finds the longest run of at least two zeros; the first one if several are equally long.
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(1, best.count) { best = start..<end }
            start = max(end, start + 1)
        }
        func hex(_ range: Range<Int>) -> String { range.map { String(groups[$0], radix: 16) }.joined(separator: ":") }
        return best.isEmpty
            ? "[" + hex(0..<8) + "]" : "[" + hex(0..<best.lowerBound) + "::" + hex(best.upperBound..<8) + "]"
    }

    private static func groups(_ text: String) -> [UInt16]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard text.utf8.count <= 64, halves.count <= 2 else { return nil }
        guard let head = run(halves[0], mayEndInIPv4: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? head : nil }
        guard let tail = run(halves[1], mayEndInIPv4: true), head.count + tail.count < 8 else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func run(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.contains("."), index == parts.count - 1, mayEndInIPv4 {
                let bytes = part.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
                // Only plain decimal: no leading zero, no sign.
                guard bytes.count == 4, !bytes.contains(nil),
                    bytes.map({ String($0 ?? 0) }).joined(separator: ".") == part
                else { return nil }
                groups.append(UInt16(bytes[0] ?? 0) << 8 | UInt16(bytes[1] ?? 0))
                groups.append(UInt16(bytes[2] ?? 0) << 8 | UInt16(bytes[3] ?? 0))
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }
}
