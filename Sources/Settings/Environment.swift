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
}
