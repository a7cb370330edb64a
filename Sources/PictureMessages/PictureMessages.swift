import Confinement

// The messages between the jobs process and the process that reads pictures.

/// The first message of a process: it is confined and ready.
public struct PictureGreeting: Equatable, Sendable {
    /// Whether its system calls are filtered.
    public var isFiltered: Bool

    public init(isFiltered: Bool) { self.isFiltered = isFiltered }

    public var message: Message { Message([[isFiltered ? 1 : 0]]) }

    /// - Returns: nil where the message is not a greeting.
    public init?(_ message: Message) {
        guard message.fields.count == 1, let field = message.fields[0], field == [0] || field == [1] else { return nil }
        isFiltered = field == [1]
    }
}

/// A request to read a file for a use.
public struct PictureRequest: Equatable, Sendable {
    public var use: PictureUse
    public var bytes: [UInt8]

    public init(_ use: PictureUse, bytes: [UInt8]) {
        self.use = use
        self.bytes = bytes
    }

    public var message: Message { Message([Array(use.rawValue.utf8), bytes]) }

    /// - Returns: nil where the message is not a request.
    public init?(_ message: Message) {
        guard message.fields.count == 2, let name = message.fields[0], let bytes = message.fields[1],
            let use = PictureUse(rawValue: String(decoding: name, as: UTF8.self))
        else { return nil }
        self.init(use, bytes: bytes)
    }
}

/// The response to a ``PictureRequest``.
public enum PictureAnswer: Equatable, Sendable {
    case picture(RecodedPicture)
    case refused(PictureRefusal)

    public var message: Message {
        switch self {
        case .refused(let why): Message([Array(why.rawValue.utf8)])
        case .picture(let picture):
            Message([Array(String(picture.width).utf8), Array(String(picture.height).utf8), picture.bytes])
        }
    }

    /// - Parameter use: what the picture was asked for.
    /// - Returns: nil where the message is not an answer, or its picture does not have the form of its use.
    public init?(_ message: Message, for use: PictureUse = .article) {
        let words = message.fields.prefix(2).map { $0.map { String(decoding: $0.prefix(32), as: UTF8.self) } ?? "" }
        switch message.fields.count {
        case 1:
            guard let why = PictureRefusal(rawValue: words[0]) else { return nil }
            self = .refused(why)
        case 3:
            guard let width = Int(words[0]), let height = Int(words[1]), let bytes = message.fields[2]
            else { return nil }
            let picture = RecodedPicture(width: width, height: height, bytes: bytes)
            guard picture.isPlausible(for: use) else { return nil }
            self = .picture(picture)
        default: return nil
        }
    }
}
