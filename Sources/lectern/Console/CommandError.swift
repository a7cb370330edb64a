/// An error printed as one line on standard error; the exit status is 1.
struct CommandError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
