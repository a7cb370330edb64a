import HTTP

/// The parameters of a request of the Google Reader API: of the query and of a form in the body.
public struct GoogleReaderForm {
    private var pairs: [(name: String, value: String)] = []

    /// rssguard asks for 9,999 items at once.
    private static let maximum = 11_000

    /// The body is taken for an encoded form unless its type says otherwise, as some clients name none.
    public init(_ request: Request) throws(GoogleReaderError) {
        var forms = [FormFields(urlEncoded: request.query.utf8, maximum: Self.maximum)]
        if let boundary = FormFields.boundary(of: request.headers["content-type"]) {
            forms.append(FormFields(multipart: request.body, boundary: boundary, maximum: Self.maximum))
        } else if request.method == "POST" {
            forms.append(FormFields(urlEncoded: request.body, maximum: Self.maximum))
        }
        for form in forms {
            guard let form else { throw .badParameter("of the request") }
            pairs += form.pairs
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

    /// The numbers of items. An id is in decimal; behind the prefix, with a zero in front and with letters it is in
    /// hexadecimal, as FreshRSS reads it.
    func numbers(maximum: Int) throws(GoogleReaderError) -> [Int] {
        let ids = all("i")
        guard !ids.isEmpty, ids.count <= maximum else { throw .badParameter("i") }
        var numbers: [Int] = []
        for id in ids {
            let prefix = "tag:google.com,2005:reader/item/"
            let digits = id.hasPrefix(prefix) ? id.dropFirst(prefix.count) : id[...]
            let isDecimal = digits.count == id.count && !id.hasPrefix("0") && Int(id) != nil
            guard let number = Int(digits, radix: isDecimal ? 10 : 16) else { throw .badParameter("i") }
            numbers.append(number)
        }
        return numbers
    }
}
