import HTTP
import JSON

/// The shapes of linkding's errors: those of a parameter are listed below its name, all others are a detail.
enum LinkdingError {
    static func response(to error: some APIError) -> Response {
        let member: (String, String)
        switch error as? NeighbourError {
        case .badParameter(let name, let expected):
            member = (name, "[" + JSONText.string("This must be \(expected).") + "]")
        case .noTime(let name): member = (name, "[" + JSONText.string(error.message + ".") + "]")
        case .missing(let name): member = (name, #"["This field is required."]"#)
        default: member = ("detail", JSONText.string(bounded(error.message)))
        }
        return Linkding.response(JSONText.object([member]), status: error.status)
    }

    /// Errors quote the request, which may be long.
    private static func bounded(_ text: String) -> String {
        text.unicodeScalars.count <= 1_000 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(1_000)))
    }
}
