import CCurl

/// A list of lines for libcurl. libcurl keeps only its pointer, so it must live as long as a handle uses it.
final class CurlList {
    let pointer: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        pointer = lines.reduce(nil) { list, line in curl_slist_append(list, line) ?? list }
    }

    deinit { curl_slist_free_all(pointer) }
}
