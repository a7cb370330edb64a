import Confinement

/// The first message of a reader process, which says that it is confined and how.
package struct ReaderGreeting: Equatable {
    /// Whether the process's system calls are filtered.
    package var isFiltered: Bool

    private static let word = Array("reading".utf8)

    package var message: Message { Message([Self.word, isFiltered ? [1] : [0]]) }

    package init(isFiltered: Bool) { self.isFiltered = isFiltered }

    package init?(_ message: Message) {
        guard message.fields.count == 2, message.fields[0] == Self.word, let flag = message.fields[1],
            [[0], [1]].contains(flag)
        else { return nil }
        isFiltered = flag == [1]
    }
}
