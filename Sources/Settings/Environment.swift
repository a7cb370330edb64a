import Glibc

/// The process's environment.
public enum Environment {
    /// The variables whose names and values are valid UTF-8. If a name occurs twice, the first one counts, as in
    /// `getenv`.
    public static var all: [String: String] {
        var variables: [String: String] = [:]
        var next = Glibc.environ
        while let entry = next.pointee {
            next += 1
            guard let text = String(validatingCString: entry), let equals = text.firstIndex(of: "=") else { continue }
            let name = String(text[..<equals])
            if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
        }
        return variables
    }

    /// The variables together with the secrets of the file that `LECTERN_SECRETS_FILE` names, the contents of the files
    /// that variables `LECTERN_<NAME>_FILE` name, and systemd's credentials of the names `LECTERN_<NAME>`. A variable takes
    /// precedence over the secrets file and the credentials.
    public static func withSecrets() throws(Settings.Invalid) -> [String: String] { try withSecrets(all) }

    /// The variables in a file of lines `NAME='value'`, such as `lectern.env`.
    public static func file(_ path: String) throws(Settings.Invalid) -> [String: String] {
        do throws(SecretsFile.Unreadable) { return try SecretsFile(path: path).values } catch {
            throw Settings.Invalid(problems: [error.reason])
        }
    }

    static func withSecrets(_ given: [String: String]) throws(Settings.Invalid) -> [String: String] {
        let variables = try ValuesInFiles.resolved(given)
        guard let path = variables["LECTERN_SECRETS_FILE"], !path.isEmpty else { return variables }
        do throws(SecretsFile.Unreadable) {
            return try SecretsFile(path: path).values.merging(variables) { _, variable in variable }
        } catch {
            throw Settings.Invalid(problems: ["LECTERN_SECRETS_FILE: \(error.reason)"])
        }
    }
}
