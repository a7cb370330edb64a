/// Internationalized host names in ASCII (RFC 3492).
///
/// ICU's IDNA functions are not used: they reject names that `rest.dedupe_key` of the database encodes, and the two
/// must agree for every input. `Links` depends on no C library.
enum Punycode {
    /// Encodes each label beyond ASCII as `xn--…`; nil if a label is too long.
    static func toASCII(_ host: String) -> String? {
        var labels: [String] = []
        for label in host.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false) {
            if label.allSatisfy(\.isASCII) {
                labels.append(String(label))
            } else {
                guard label.count <= 63 else { return nil }
                labels.append("xn--" + encoded(label.map(\.value)))
            }
        }
        return labels.joined(separator: ".")
    }

    // Parameters of RFC 3492, section 5.
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

    private static func encoded(_ label: [UInt32]) -> String {
        var output = label.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (0x80, 0, 72, basic)
        while handled < label.count {
            let smallest = label.lazy.map { Int($0) }.filter { $0 >= next }.min() ?? 0
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for point in label {
                if Int(point) < next { delta += 1 }
                guard Int(point) == next else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends a variable-length integer, section 3.3.
    private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var place = base
        while true {
            let threshold = place <= bias ? tMin : place >= bias + tMax ? tMax : place - bias
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
        output.append(digit(rest))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            steps += base
        }
        return steps + (base - tMin + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30) }
}
