import Glibc

/// Settings whose values are in files of their own: one that a variable `LECTERN_<NAME>_FILE` names, or one of systemd's
/// credentials (`LoadCredential=LECTERN_<NAME>:…`), which are files of a folder.
enum ValuesInFiles {
    private static let ending = "_FILE"
    /// Names that end so by themselves.
    private static let settings: Set = ["LECTERN_SECRETS_FILE"]
    private static let maxBytes = 1 << 16

    /// The variables with the values in place of the names of their files.
    static func resolved(_ variables: [String: String]) throws(Settings.Invalid) -> [String: String] {
        var (resolved, problems) = (variables, [String]())
        for (name, path) in variables.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("LECTERN_") && name.hasSuffix(ending) && !settings.contains(name) {
            resolved[name] = nil
            let setting = String(name.dropLast(ending.count))
            if variables[setting] != nil {
                problems.append("\(setting) and \(name) are both set; remove one of them")
            } else if let value = content(of: path) {
                resolved[setting] = value
            } else {
                problems.append("\(name): \(path) cannot be read: \(String(cString: strerror(errno)))")
            }
        }
        guard problems.isEmpty else { throw Settings.Invalid(problems: problems) }
        guard let folder = variables["CREDENTIALS_DIRECTORY"] else { return resolved }
        for setting in Setting.all where resolved["LECTERN_" + setting.name] == nil {
            let path = "\(folder)/LECTERN_\(setting.name)"
            if access(path, F_OK) == 0 { resolved["LECTERN_" + setting.name] = content(of: path) }
        }
        return resolved
    }

    /// The text of a file without the line feed at its end; nil with errno if it cannot be read.
    private static func content(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: maxBytes)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0, count < maxBytes, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            if count >= 0 { errno = EINVAL }
            return nil
        }
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}
