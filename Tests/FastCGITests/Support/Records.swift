/// Builds FastCGI records byte by byte, so that tests can also build invalid ones.
enum Records {
    static let begin: UInt8 = 1, abort: UInt8 = 2, end: UInt8 = 3, parameters: UInt8 = 4
    static let input: UInt8 = 5, output: UInt8 = 6, getValues: UInt8 = 9

    static func record(
        _ type: UInt8, _ content: [UInt8], id: UInt16 = 1, version: UInt8 = 1, padding: UInt8 = 0
    ) -> [UInt8] {
        let length = [UInt8(content.count >> 8), UInt8(content.count & 255)]
        return [version, type, UInt8(id >> 8), UInt8(id & 255)] + length + [padding, 0] + content
            + [UInt8](repeating: 0, count: Int(padding))
    }

    static func begin(role: UInt8 = 1, keep: Bool = true) -> [UInt8] {
        record(begin, [0, role, keep ? 1 : 0, 0, 0, 0, 0, 0])
    }

    static func pair(_ name: String, _ value: [UInt8]) -> [UInt8] {
        length(name.utf8.count) + length(value.count) + Array(name.utf8) + value
    }

    static func pair(_ name: String, _ value: String) -> [UInt8] { pair(name, Array(value.utf8)) }

    private static func length(_ count: Int) -> [UInt8] {
        count < 128 ? [UInt8(count)] : [3, 2, 1, 0].map { UInt8(count >> ($0 * 8) & 255) | ($0 == 3 ? 0x80 : 0) }
    }

    /// Returns a stream of as many records as necessary, with the empty record that ends it.
    static func stream(_ type: UInt8, _ content: [UInt8], pieces: Int = 60_000) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            bytes += record(type, Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return bytes + record(type, [])
    }

    /// Returns a complete request. `length` is the value of CONTENT_LENGTH, by default the true length.
    static func request(
        _ target: String = "/", method: String = "GET", body: [UInt8] = [], length: String? = nil, keep: Bool = true,
        fields: [(String, String)] = []
    ) -> [UInt8] {
        var parameters = pair("REQUEST_METHOD", method) + pair("REQUEST_URI", target)
        parameters += pair("CONTENT_LENGTH", length ?? (body.isEmpty ? "" : String(body.count)))
        for (name, value) in fields { parameters += pair(name, value) }
        return begin(keep: keep) + stream(Self.parameters, parameters) + stream(input, body)
    }
}
