import Crypto

/// The path of a picture file below the folder and below /pictures/, such as `ab/ab….webp`: two hex digits, then 40
/// that begin with them.
///
/// The name has 160 random bits, so nobody can guess the path of another user's picture.
struct PictureAddress: Hashable, Sendable {
    let path: String

    /// Makes a new address.
    init() {
        let letters = SecureRandom.bytes(20).flatMap { byte in [byte >> 4, byte & 15] }.map { Self.alphabet[Int($0)] }
        let name = String(decoding: letters, as: UTF8.self)
        path = "\(name.prefix(2))/\(name).webp"
    }

    /// Parses an address. Only a parsed address ever becomes a file path.
    ///
    /// - Returns: nil where the text does not have the form of an address.
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
