import CCurl

/// Parses the `Retry-After` field, which has seconds or a date.
enum RetryAfterField {
    /// The longest accepted wait: 30 days, in seconds.
    static let maximum = 30 * 86_400

    /// - Parameter now: seconds since 1970.
    /// - Returns: the seconds from now, 0...`maximum`, or nil if the field is missing or invalid.
    static func seconds(_ value: String?, now: Int) -> Int? {
        guard let value else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int(value) ?? maximum, maximum)
        }
        let date = Int(curl_getdate(value, nil))
        return date < 0 ? nil : min(max(date - now, 0), maximum)
    }
}
