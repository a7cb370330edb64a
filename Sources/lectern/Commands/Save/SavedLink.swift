import JSON

/// A link that `lectern save` has saved.
struct SavedLink {
    /// As it was given.
    var url: String
    var id: String
    /// Whether the page was not saved before.
    var isNew: Bool
    var list: String
    var state: String

    var json: String {
        JSONText.object([
            ("url", JSONText.string(url)), ("id", JSONText.string(id)), ("is_new", String(isNew)),
            ("list", JSONText.string(list)), ("state", JSONText.string(state)),
        ])
    }
}
