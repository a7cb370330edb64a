import CICU

extension Encoding {
    /// Decodes the bytes. Invalid ones become U+FFFD.
    func text(of bytes: ArraySlice<UInt8>) -> String {
        switch self {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .replacement: return bytes.isEmpty ? "" : "\u{FFFD}"
        case .userDefined: return mapped(bytes) { 0xF700 + UInt32($0) }
        default: break
        }
        if name == "iso-8859-16" { return mapped(bytes) { Encoding.latin10[Int($0) - 0x80] } }
        if let upperHalf = Encoding.corrected[name] { return mapped(bytes) { upperHalf[Int($0) - 0x80] } }
        return converted(bytes) ?? String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a single-byte encoding. `scalar` maps the bytes from 0x80 up.
    private func mapped(_ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt32) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append(byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(scalar(byte)) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// ISO-8859-16 from 0x80 up, which ICU lacks: C1 controls, followed by its 96 letters and signs.
    private static let latin10: [UInt32] =
        Array(0x80...0x9F)
            + """
            \u{A0}ĄąŁ€„Š§š©Ș«Ź\u{AD}źŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ
            """.unicodeScalars.map(\.value)

    /// The characters from 0x80 up of encodings whose ICU converter differs from the standard's index.
    private static let corrected: [String: [UInt32]] = EncodingLabels.corrections.reduce(into: [:]) { tables, entry in
        guard let encoding = Encoding(label: entry.key) else { return }
        tables[entry.key] = (UInt8(0x80)...0xFF).map { byte in
            entry.value[byte] ?? encoding.converted([byte])?.unicodeScalars.first?.value ?? 0xFFFD
        }
    }

    /// Converts directly to UTF-8 with ICU. Returns nil if ICU has no such converter or no memory.
    private func converted(_ bytes: ArraySlice<UInt8>) -> String? {
        var status = U_ZERO_ERROR
        let converter = EncodingLabels.converters[name] ?? name
        guard let source = cicu_converter_open(converter, converter == "gb18030" ? 1 : 0, &status) else { return nil }
        defer { cicu_converter_close(source) }
        guard let target = cicu_converter_open("UTF-8", 0, &status) else { return nil }
        defer { cicu_converter_close(target) }
        guard status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
        return bytes.withUnsafeBytes { Encoding.pump(from: source, to: target, $0) }
    }

    /// Converts all bytes with two converters and a small pivot buffer, 64 KB of output at a time.
    private static func pump(
        from source: OpaquePointer, to target: OpaquePointer, _ bytes: UnsafeRawBufferPointer
    ) -> String? {
        var text = [UInt8]()
        text.reserveCapacity(bytes.count + bytes.count / 2)
        let input = bytes.bindMemory(to: CChar.self)
        guard var next = input.baseAddress else { return "" }
        let end = next + input.count
        let succeeded = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { chunk -> Bool in
            withUnsafeTemporaryAllocation(of: UChar.self, capacity: 4_096) { pivot -> Bool in
                guard let out = chunk.baseAddress, let middle = pivot.baseAddress else { return false }
                var pivotSource: UnsafeMutablePointer<UChar>? = middle
                var pivotTarget: UnsafeMutablePointer<UChar>? = middle
                var reset: UBool = 1
                while true {
                    var status = U_ZERO_ERROR
                    var write: UnsafeMutablePointer<CChar>? = out
                    var read: UnsafePointer<CChar>? = next
                    cicu_convert(
                        target, source, &write, out + chunk.count, &read, end, middle, &pivotSource, &pivotTarget,
                        middle + pivot.count, reset, &status)
                    reset = 0
                    text.append(contentsOf: UnsafeRawBufferPointer(start: out, count: write.map { $0 - out } ?? 0))
                    next = read ?? end
                    if status != U_BUFFER_OVERFLOW_ERROR { return status.rawValue <= U_ZERO_ERROR.rawValue }
                }
            }
        }
        return succeeded ? String(decoding: text, as: UTF8.self) : nil
    }
}
