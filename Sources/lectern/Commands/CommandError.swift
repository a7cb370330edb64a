/// An error told in one line on standard error, with exit status 1.
struct CommandError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
