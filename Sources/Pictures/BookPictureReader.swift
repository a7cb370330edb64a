import Glibc
import PictureMessages

/// Reads pictures for books: those that are stored, and those that are embedded in an article. Pictures are decoded in
/// a confined process, which ends with the thread that has started it.
public final class BookPictureReader {
    /// The reason why a book does not have a picture: a code for programs, and a sentence.
    public struct Refusal: Error, Sendable, Equatable {
        public var reason: String
        public var message: String
        /// Whether the server failed, so that another attempt may succeed.
        public var isServerFailure: Bool

        public init(reason: String, message: String, isServerFailure: Bool = false) {
            self.reason = reason
            self.message = message
            self.isServerFailure = isServerFailure
        }
    }

    private let reader: PictureReader
    private let folder: String
    private let maxBytes: Int

    /// - Parameters:
    ///   - program: path of the program that reads pictures.
    ///   - folder: the folder of the stored pictures.
    public init(program: String, limits: PictureLimits, folder: String) {
        reader = PictureReader(program: program, limits: limits, drawsCovers: true)
        self.folder = folder
        maxBytes = limits.sourceBytes
    }

    /// The bytes of a stored picture.
    public func stored(at address: String) throws(Refusal) -> [UInt8] {
        guard let address = PictureAddress(address) else { throw Self.lost }
        let file = open("\(folder)/\(address.path)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Self.lost }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count >= 0 else { throw Self.lost }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= maxBytes else {
                throw Refusal(reason: PictureRefusal.tooLarge.rawValue, message: PictureRefusal.tooLarge.sentence)
            }
        }
    }

    private static let lost = Refusal(reason: "lost", message: "The file of the picture is missing.")

    /// A picture as JPEG; a drawing or one with transparent parts as PNG, and an animation as GIF.
    public func converted(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] { try read(bytes, for: .book) }

    /// A cover as JPEG.
    ///
    /// - Parameter picture: the file of its picture; empty: none.
    public func cover(title: String, site: String, picture: [UInt8]) throws(Refusal) -> [UInt8] {
        try read(CoverRequest(title: title, site: site, picture: picture).bytes, for: .cover)
    }

    private func read(_ bytes: [UInt8], for use: PictureUse) throws(Refusal) -> [UInt8] {
        do throws(PictureFailure) {
            return try reader.read(bytes, for: use).bytes
        } catch {
            // A busy machine may have been too slow to start the process.
            if error.isServerFailure, let picture = try? reader.read(bytes, for: use) { return picture.bytes }
            throw Refusal(
                reason: error.shownReason, message: error.shownMessage, isServerFailure: error.isServerFailure)
        }
    }

    /// Ends the process, which is started again when it is needed.
    public func endProcess() { reader.endProcess() }

    /// Ends the process if it has not been used for ten seconds.
    ///
    /// - Returns: the milliseconds after which this is to be called again; nil: no process runs.
    public func endIdleProcess() -> Int? { reader.endIdleProcess() }
}
