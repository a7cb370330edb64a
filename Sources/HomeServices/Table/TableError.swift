/// A line of a home's file that the supervisor does not understand.
struct TableError: Error, Equatable, CustomStringConvertible {
    var line: Int
    var reason: String

    var description: String { "line \(line): \(reason)" }
}
