import HTTP

/// The parameters of a request of the Google Reader API: of the query and of a form in the body.
public struct GoogleReaderForm {
    private var pairs: [(name: String, value: String)] = []

    /// rssguard asks for 9,999 items at once.
    private static let maximum = 11_000

    /// The body is taken for a form whatever its type is, as some clients name none.
    public init(_ request: Request) throws(GoogleReaderError) {
        for text in [Array(request.query.utf8), request.method == "POST" ? request.body : []] {
            for pair in text.split(separator: UInt8(ascii: "&")).prefix(Self.maximum) {
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = FormText.decoded(parts[0]),
                    let value = parts.count == 2 ? FormText.decoded(parts[1]) : ""
                else {
                    throw .badParameter("of the request")
                }
                pairs.append((name, value))
            }
        }
    }

    public subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// A number; a larger one than the range counts as its end.
    func number(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws(GoogleReaderError) -> Int {
        guard let text = self[name], !text.isEmpty else { return standard }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .badParameter(name) }
        return min(max(Int(text) ?? .max, range.lowerBound), range.upperBound)
    }

    /// The numbers of items, which are written in decimal, or in hexadecimal behind a prefix.
    func numbers(maximum: Int) throws(GoogleReaderError) -> [Int] {
        let ids = all("i")
        guard !ids.isEmpty, ids.count <= maximum else { throw .badParameter("i") }
        var numbers: [Int] = []
        for id in ids {
            let prefix = "tag:google.com,2005:reader/item/"
            let number = id.hasPrefix(prefix) ? Int(id.dropFirst(prefix.count), radix: 16) : Int(id)
            guard let number else { throw .badParameter("i") }
            numbers.append(number)
        }
        return numbers
    }
}
