import HTML

/// The part that the URLs of one picture have in common, independent of size, crop and format.
struct PictureKey: Hashable {
    private let text: [UInt8]

    /// Names of parameters, in a query or before a number in a path, that describe the rendition and not the picture.
    private static let sizeNames: Set<String> = [
        "w", "h", "width", "height", "resize", "size", "fit", "crop", "quality", "q", "format", "fm", "auto", "dpr",
        "strip", "ssl", "s", "imwidth", "imheight", "maxwidth", "maxheight", "im", "rect", "scale", "compress", "v",
        "ver", "impolicy", "wid", "hei", "usm", "dw", "dh", "ixlib", "blur", "sm", "itok", "c", "f", "fill", "limit",
        "g", "max",
    ]
    /// In bytes. Only the beginning of a longer URL is compared.
    private static let maxBytes = 2_048

    /// - Parameter base: the URL against which a relative URL is resolved.
    init(_ address: String, relativeTo base: WebAddress? = nil) {
        let absolute = address.utf8.count <= Self.maxBytes ? WebAddress(address, relativeTo: base)?.text : nil
        let address = Self.embeddedAddress(
            of: (absolute ?? address).utf8.prefix(Self.maxBytes).prefix { $0 != UInt8(ascii: "#") }.map(lowercased))
        let mark = address.firstIndex(of: UInt8(ascii: "?")) ?? address.endIndex
        let segments = Self.withoutScheme(address[..<mark]).split(separator: UInt8(ascii: "/"))
        var key: [UInt8] = []
        for segment in segments {
            let withoutSize = Self.withoutSize(segment)
            if !withoutSize.isEmpty { key += [UInt8(ascii: "/")] + withoutSize }
        }
        if mark < address.endIndex,
            !PictureSources.hasPictureExtension(String(decoding: address[..<mark], as: UTF8.self))
        {
            for pair in address[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
                let name = String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                if !Self.sizeNames.contains(name) { key += [UInt8(ascii: "&")] + pair }
            }
        }
        text = key
    }

    /// Returns the picture's own URL if it is part of an image proxy's URL.
    private static func embeddedAddress(of address: [UInt8]) -> [UInt8] {
        guard address.count > 16 else { return address }
        for index in 8..<address.count - 8 where address[index] == UInt8(ascii: "h") {
            let rest = address[index...]
            if rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) { return Array(rest) }
            if rest.starts(with: "http%3a".utf8) || rest.starts(with: "https%3a".utf8) {
                return PercentEncoding.decode(rest.prefix { $0 != UInt8(ascii: "&") }).map(lowercased)
            }
        }
        return address
    }

    private static func withoutScheme(_ address: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let colon = address.firstIndex(of: UInt8(ascii: ":")), address[colon...].starts(with: "://".utf8) else {
            return address
        }
        return address[(colon + 3)...]
    }

    /// Returns a path component without its size; empty if it is nothing but a size.
    private static func withoutSize(_ segment: ArraySlice<UInt8>) -> [UInt8] {
        var stem = segment
        var ending: ArraySlice<UInt8> = []
        if let dot = segment.lastIndex(of: UInt8(ascii: ".")), dot > segment.startIndex, segment.endIndex - dot <= 6 {
            ending = segment[dot...]
            stem = segment[..<dot]
        } else if isSize(segment) {
            return []
        }
        while let cut = stem.lastIndex(where: {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "@")
        }),
            cut > stem.startIndex, isSize(stem[(cut + 1)...]) || stem[(cut + 1)...].elementsEqual("scaled".utf8)
        {
            stem = stem[..<cut]
        }
        return Array(stem + ending)
    }

    /// Whether a text is a size: `300x200`, `w_300,h_200`, `2x`, `width-800`, `w300`. A number alone is not, because it
    /// may identify the picture.
    private static func isSize(_ text: ArraySlice<UInt8>) -> Bool {
        let words = text.split { !isAlphanumeric($0) }
        var hasSize = false
        for word in words {
            let rest = word.drop(while: isDigit)
            if rest.isEmpty { continue }
            if rest.count < word.count {
                guard rest.first == UInt8(ascii: "x"), rest.dropFirst().allSatisfy(isDigit) else { return false }
                hasSize = true
                continue
            }
            let name = word.prefix { !isDigit($0) }
            guard sizeNames.contains(String(decoding: name, as: UTF8.self)),
                word.dropFirst(name.count).allSatisfy(isDigit)
            else {
                return false
            }
            hasSize = hasSize || name.count < word.count || words.count > 1
        }
        return hasSize
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
