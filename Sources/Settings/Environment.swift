import Glibc

/// The process's environment.
public enum Environment {
    /// Every variable whose name and value are UTF-8; of a name that stands twice the first counts, as in `getenv`.
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
