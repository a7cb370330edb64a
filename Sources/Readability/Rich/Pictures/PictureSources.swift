import HTML

/// The URLs of one picture, collected from an `img`, its `picture` and its copies, and the choice of the best one.
struct PictureSources {
    private struct Candidate {
        let address: String
        /// In pixels. If only a density is given, the width in a column of ``columnWidth``.
        let width: Int
        /// 0 for formats that every device reads, 1 for WebP, 2 for formats that few converters support.
        let rarity: Int
    }

    private var sized: [Candidate] = []
    private var lazy: (rank: Int, address: String)?
    private var plain: String?
    private var isPlainPlaceholder = true

    // MARK: What is known of attributes and sizes

    /// Attributes in which scripts look for a picture's URL. The first one present wins.
    private static let lazyNames = [
        "data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-large-file",
        "data-hi-res-src", "data-hires", "data-full-src", "data-actualsrc", "data-img-src", "data-image-src",
        "data-image", "data-echo", "data-url", "data-original-src", "data-runner-src", "data-pagespeed-lazy-src",
        "data-cfsrc", "data-ezsrc", "data-pin-media", "nitro-lazy-src", "lazy-src", "data-defer-src",
    ]
    /// Words in names of other attributes whose picture is not the main one.
    private static let secondaryWords: Set<String> = [
        "thumb", "thumbnail", "small", "placeholder", "blur", "lqip", "preview", "tiny", "low", "lowsrc", "mobile",
        "icon", "avatar", "fallback", "error", "hover", "share", "link", "href", "page", "permalink",
    ]
    /// Words that, with digits, make up the names of placeholder files.
    private static let placeholderWords: Set<String> = [
        "placeholder", "blank", "spacer", "transparent", "pixel", "loading", "loader", "spinner", "lazy", "lazyload",
        "grey", "gray", "dummy", "empty", "clear", "dot", "trans", "default", "image", "img", "white", "bg", "gif", "x",
        "px", "1x1", "shim",
    ]
    private static let extensions = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg", ".bmp"].map {
        Array($0.utf8)
    }

    /// In pixels. A picture wider than `maxWidth` is chosen only if none below reaches `sufficientWidth`.
    private static let maxWidth = 2_000
    private static let sufficientWidth = 1_200
    /// In pixels. A picture at least this wide is chosen over URLs of unknown width.
    private static let acceptableWidth = 600
    private static let columnWidth = 800
    /// In bytes, for a `srcset` and for a URL; the sanitizer has the same limits.
    private static let maxSetBytes = 32_768
    private static let maxAddressBytes = 8_192
    /// In bytes. A data URL shorter than this is a blurred placeholder.
    private static let minDataBytes = 2_000
    /// In bytes, with white space; without it, the sanitizer takes half of that.
    private static let maxDataBytes = 1 << 20

    // MARK: Gathering

    /// Adds the sources of an `img`, or of an element with the same attributes.
    mutating func add(_ image: NodeID, in document: Document) {
        for index in 0..<document.attributeCount(image) {
            let name = document.attributeName(image, at: index)
            let isSource = name == "src"
            let isSet = !isSource && name.hasSuffix("srcset")
            let rank =
                isSource || isSet || !name.utf8.contains(UInt8(ascii: "-")) ? nil : Self.lazyNames.firstIndex(of: name)
            guard isSource || isSet || rank != nil || name.hasPrefix("data-") else { continue }
            let value = WhiteSpace.trim(document.attribute(image, at: index).value)
            let maxBytes = isSource && Self.isData(value) ? Self.maxDataBytes : Self.maxSetBytes
            guard !value.isEmpty, value.utf8.count <= maxBytes else { continue }
            if isSource {
                addPlain(value)
            } else if isSet {
                addSet(value)
            } else if let rank {
                addLazy(value, rank: rank)
            } else if Self.hasPictureExtension(value),
                Self.secondaryWords.isDisjoint(with: name.split(separator: "-").map(String.init))
            {
                addLazy(value, rank: Self.lazyNames.count)
            }
        }
        addWidth(image, in: document)
    }

    /// Adds the `src` of an `img` with its displayed width, unless it is a placeholder or a script replaces it.
    private mutating func addWidth(_ image: NodeID, in document: Document) {
        guard let plain, !isPlainPlaceholder, lazy == nil, let address = Self.usable(plain),
            let width = document.attribute(image, .width).flatMap({ Int($0) }), width >= Self.acceptableWidth
        else { return }
        sized.append(Candidate(address: address, width: width, rarity: Self.rarity(address)))
    }

    /// Adds the sources of a `source` in a `picture`.
    mutating func addSource(_ source: NodeID, in document: Document) {
        let type = (document.attribute(source, .type) ?? "").lowercased()
        // Few programs read these formats.
        guard !type.contains("jxl"), !type.contains("jpeg2000"), !type.contains("jp2"), !type.hasPrefix("video") else {
            return
        }
        let rarity = type.contains("avif") || type.contains("hei") ? 2 : type.contains("webp") ? 1 : 0
        for index in 0..<document.attributeCount(source)
        where document.attributeName(source, at: index).hasSuffix("srcset") {
            let value = document.attribute(source, at: index).value
            if value.utf8.count <= Self.maxSetBytes { addSet(value, rarity: rarity) }
        }
    }

    mutating func addPlain(_ address: String) {
        guard plain == nil else { return }
        plain = address
        isPlainPlaceholder = Self.isPlaceholder(address)
    }

    private mutating func addSet(_ set: String, rarity: Int = 0) {
        for candidate in SourceSet.candidates(of: set) {
            guard let address = Self.usable(candidate.address), !Self.isPlaceholder(address) else { continue }
            sized.append(
                Candidate(
                    address: address, width: Self.width(candidate.size), rarity: max(rarity, Self.rarity(address))))
        }
    }

    private mutating func addLazy(_ value: String, rank: Int) {
        if value.utf8.contains(where: WhiteSpace.isASCII) { return addSet(value) }
        guard rank < lazy?.rank ?? .max, let address = Self.usable(value), !Self.isPlaceholder(address) else { return }
        lazy = (rank, address)
    }

    // MARK: Choosing

    /// Whether a script would replace the source that is written in `src`.
    var isLazy: Bool { lazy != nil || isPlainPlaceholder && !sized.isEmpty }

    /// Whether there are only placeholders.
    var isEmpty: Bool { best == nil }

    /// The URL to use, as written; nil if there are only placeholders.
    var best: String? {
        let chosen = chosen
        if let chosen, chosen.width >= Self.acceptableWidth { return chosen.address }
        let written = plain.flatMap { isPlainPlaceholder ? nil : Self.usable($0) ?? $0 }
        return lazy?.address ?? written ?? chosen?.address
    }

    /// The width of the widest source in pixels, if any width is known.
    var widest: Int? { chosen?.width }

    /// Prefers the common formats, unless a rarer one has the picture much larger.
    private var chosen: Candidate? {
        var best: Candidate?
        for rarity in 0...2 {
            guard let next = fitting(sized.filter { $0.rarity == rarity }) else { continue }
            if let best, best.width >= Self.columnWidth || best.width >= next.width { continue }
            best = next
        }
        return best
    }

    private func fitting(_ all: [Candidate]) -> Candidate? {
        let fitting = all.filter { $0.width <= Self.maxWidth }.max { $0.width < $1.width }
        if let fitting, fitting.width >= Self.sufficientWidth { return fitting }
        return all.filter { $0.width > Self.maxWidth }.min { $0.width < $1.width } ?? fitting
    }

    private static func rarity(_ address: String) -> Int {
        let name = fileName(address)
        return name.suffix(5).elementsEqual(".avif".utf8) ? 2 : name.suffix(5).elementsEqual(".webp".utf8) ? 1 : 0
    }

    /// Parses `480w` or `2x`; a missing size means `1x`.
    private static func width(_ size: String) -> Int {
        guard let number = Double(size.dropLast()), number > 0 else { return columnWidth }
        // The cap keeps the number within `Int`; larger values carry no information.
        let width = size.hasSuffix("x") ? number * Double(columnWidth) : number
        return Int(min(width, 100_000))
    }

    // MARK: Addresses

    /// Values that scripts write if there is no picture.
    private static let emptyValues: Set<String> = [
        "null", "undefined", "none", "false", "true", "auto", "lazy", "1", "0", "#",
    ]
    private static let maxEmptyValueBytes = 9
    private static let uselessSchemes = ["data:", "blob:", "about:", "javascript:"].map { Array($0.utf8) }

    /// Returns a URL that works without a script; in a template, `{width}` is replaced by a width.
    private static func usable(_ written: String) -> String? {
        guard !written.isEmpty, written.utf8.count <= maxAddressBytes,
            written.utf8.count > maxEmptyValueBytes || !emptyValues.contains(written)
        else { return nil }
        let bytes = Array(written.utf8)
        let lowered = bytes.prefix(11).map(lowercased)
        guard !uselessSchemes.contains(where: { lowered.starts(with: $0) }),
            !bytes.contains(where: { WhiteSpace.isASCII($0) || $0 == UInt8(ascii: "<") })
        else { return nil }
        return bytes.contains(UInt8(ascii: "{")) ? filled(bytes) : written
    }

    /// Returns the URL with its width placeholder replaced; nil if it has other placeholders.
    private static func filled(_ address: [UInt8]) -> String? {
        var output: [UInt8] = []
        var rest = address[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "{") else {
                output.append(byte)
                continue
            }
            guard let placeholder = ["width}", "w}"].first(where: { rest.starts(with: $0.utf8) }) else { return nil }
            rest = rest.dropFirst(placeholder.utf8.count)
            output += String(sufficientWidth).utf8
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether a URL is a placeholder: a small picture in a data URL, or a file whose name consists of placeholder
    /// words.
    static func isPlaceholder(_ address: String) -> Bool {
        if isData(address) {
            // The sanitizer would remove an SVG in a data URL.
            return address.utf8.count < minDataBytes
                || address.utf8.prefix(14).map(lowercased).elementsEqual("data:image/svg".utf8)
        }
        var hasPlaceholderWord = false
        // Word by word, because the first word of most names is no placeholder.
        var rest = fileName(address).prefix { $0 != UInt8(ascii: ".") }.drop { !isAlphanumeric($0) }
        while !rest.isEmpty {
            let word = rest.prefix(while: isAlphanumeric)
            rest = rest.dropFirst(word.count).drop { !isAlphanumeric($0) }
            let text = String(decoding: word, as: UTF8.self)
            if placeholderWords.contains(text) {
                // These words are also the names of real pictures, such as `image.jpg`.
                hasPlaceholderWord = hasPlaceholderWord || !["image", "img", "default", "x", "bg"].contains(text)
            } else if !word.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x78 }) {
                return false
            }
        }
        return hasPlaceholderWord
    }

    private static func isData(_ address: String) -> Bool {
        address.utf8.prefix(5).map(lowercased).elementsEqual("data:".utf8)
    }

    /// Returns the last component of the path, in lower case.
    static func fileName(_ address: String) -> [UInt8] {
        func name(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            var start = 0
            var end = 0
            while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
                if bytes[end] == UInt8(ascii: "/") { start = end + 1 }
                end += 1
            }
            return bytes[start..<end].map(lowercased)
        }
        return address.utf8.withContiguousStorageIfAvailable(name) ?? Array(address.utf8).withUnsafeBufferPointer(name)
    }

    /// Whether a text is a single URL whose path ends with a picture's file name extension.
    static func hasPictureExtension(_ address: String) -> Bool {
        guard !address.utf8.contains(where: WhiteSpace.isASCII), address.utf8.first != UInt8(ascii: "{") else {
            return false
        }
        let name = fileName(address)
        return extensions.contains { name.count > $0.count && name.suffix($0.count).elementsEqual($0) }
    }
}
