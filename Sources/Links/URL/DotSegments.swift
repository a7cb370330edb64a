/// Removes `.` and `..` from paths. Source: https://url.spec.whatwg.org/#path-state
enum DotSegments {
    /// The path without `.` and `..` segments, also where their dots are written `%2e`. Empty segments stay.
    ///
    /// - Returns: a path that begins with a slash.
    static func removed(from path: [UInt8]) -> [UInt8] {
        let hasSlash = path.first == UInt8(ascii: "/")
        // Fast path for nearly all paths.
        if !mayHaveDots(path) { return hasSlash ? path : [UInt8(ascii: "/")] + path }
        let body = hasSlash ? path.dropFirst() : path[...]
        let segments = body.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var remaining: [ArraySlice<UInt8>] = []
        for (position, segment) in segments.enumerated() {
            let isLast = position == segments.count - 1
            switch dots(in: segment) {
            case 0: remaining.append(segment)
            case 1: if isLast { remaining.append([]) }
            default:
                _ = remaining.popLast()
                if isLast { remaining.append([]) }
            }
        }
        return remaining.isEmpty ? [UInt8(ascii: "/")] : remaining.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    /// Whether a segment begins as `.`, `..` and their escapes do.
    private static func mayHaveDots(_ path: [UInt8]) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in path {
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }

    /// 1 for `.`, 2 for `..`, else 0.
    private static func dots(in segment: ArraySlice<UInt8>) -> Int {
        guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%"), segment.count <= 6
        else {
            return 0
        }
        switch String(decoding: segment, as: UTF8.self).lowercased() {
        case ".", "%2e": return 1
        case "..", ".%2e", "%2e.", "%2e%2e": return 2
        default: return 0
        }
    }
}
