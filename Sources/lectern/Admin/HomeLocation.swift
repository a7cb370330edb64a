import Settings

/// A home on this machine, for commands that work on its files.
struct HomeLocation {
    let path: String
    /// The variables of its lectern.env, or those of the environment.
    let variables: [String: String]

    /// - Parameter option: the path that was given; nil for the home of the environment.
    init(_ option: String?) throws {
        let environment = Environment.all
        path = option ?? environment["LECTERN_HOME"] ?? "var"
        // The environment may be that of another home.
        if option == nil, environment["LECTERN_DATABASE_URL"] != nil {
            variables = environment
            return
        }
        do {
            variables = try Environment.file("\(path)/lectern.env")
        } catch {
            throw CommandError("\(error); use --home to name a home that deploy/run has started")
        }
    }

    func databaseURL() throws -> String {
        guard let url = variables["LECTERN_DATABASE_URL"] else {
            throw CommandError("\(path)/lectern.env has no LECTERN_DATABASE_URL; run deploy/run, which writes it")
        }
        return url
    }
}
