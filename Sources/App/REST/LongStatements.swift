import REST

/// Functions that may change thousands of links in one statement, and so take longer than other requests.
enum LongStatements {
    /// nginx waits 300 seconds for a response of these functions.
    static let time: Duration = .seconds(240)

    private static let functions: Set = ["change_links", "undo_change", "apply_rule"]

    /// Whether the plan calls one of these functions.
    static func contains(_ plan: Plan) -> Bool {
        guard case .call(let call) = plan.action else { return false }
        return functions.contains(call.function.name)
    }
}
