import Crypto

/// Where a picture lies below the folder, and below /pictures/: `ab/` and 40 letters that begin with them.
///
/// 160 random bits: nobody finds another's picture, nor the same picture in another's keeping, by guessing.
struct PictureAddress: Hashable, Sendable {
    let path: String

    /// A new one.
    init() {
        let letters = SecureRandom.bytes(20).flatMap { byte in [byte >> 4, byte & 15] }.map { Self.alphabet[Int($0)] }
        let name = String(decoding: letters, as: UTF8.self)
        path = "\(name.prefix(2))/\(name).webp"
    }

    /// - Returns: nil for what is no address of ours: nothing else is ever made a path of.
    init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard bytes.count == 48, bytes[2] == UInt8(ascii: "/"), bytes[43...].elementsEqual(".webp".utf8),
            bytes[0..<2].elementsEqual(bytes[3..<5]), bytes[3..<43].allSatisfy(Self.alphabet.contains)
        else { return nil }
        self.path = path
    }

    var folder: String { String(path.prefix(2)) }

    private static let alphabet = Array("0123456789abcdef".utf8)
}
