import JSON

/// An error with a response. Each module has its own error types; one function turns all of them into responses.
public protocol APIError: Error {
    /// 400 to 599.
    var status: Int { get }
    /// A stable code such as `PGRST100`.
    var code: String { get }
    var message: String { get }
    var details: String? { get }
    var hint: String? { get }
}

extension APIError {
    public var details: String? { nil }
    public var hint: String? { nil }
}

extension Response {
    /// The shape of errors of `/rest/v1/`: four members, each a string or null.
    ///
    /// Errors quote the request, which may be many megabytes long, so texts are cut.
    public init(error: some APIError) {
        func text(_ text: String?) -> String {
            // The number of bytes is known, that of scalars must be counted.
            guard let text, text.utf8.count > Self.maxErrorText, text.unicodeScalars.count > Self.maxErrorText else {
                return JSONText.string(text)
            }
            var start = String.UnicodeScalarView()
            start.append(contentsOf: text.unicodeScalars.prefix(Self.maxErrorText))
            return JSONText.string(String(start) + "…")
        }
        self.init(
            status: error.status,
            json: JSONText.object([
                ("code", text(error.code)), ("message", text(error.message)), ("details", text(error.details)),
                ("hint", text(error.hint)),
            ]))
    }

    /// The maximum length of one text of an error, in Unicode scalars.
    private static let maxErrorText = 4_000
}
