import Charsets
import Links

/// Times the dedupe key. Reads lines of kind, tab, URL from standard input. Prints one line per kind: the kind, and
/// microseconds per URL.
@main
enum TimeKeys {
    static func main() {
        let key = DedupeKey(mapHost: InternationalHost.mapped)
        var kinds: [String] = []
        var urls: [String: [String]] = [:]
        while let line = readLine() {
            let columns = line.split(separator: "\t", maxSplits: 1).map { String($0) }
            guard columns.count == 2 else { continue }
            if urls[columns[0]] == nil { kinds.append(columns[0]) }
            urls[columns[0], default: []].append(columns[1])
        }
        for kind in kinds {
            let urls = urls[kind] ?? []
            // The fastest round counts, because other load on the machine only adds time.
            let best = (0..<20).map { _ in seconds(urls, key) }.min() ?? 0
            print(kind, best / Double(urls.count) * 1e6, separator: "\t")
        }
    }

    private static func seconds(_ urls: [String], _ key: DedupeKey) -> Double {
        var length = 0
        let start = ContinuousClock.now
        for url in urls { length += key(url)?.utf8.count ?? 0 }
        let spent = (ContinuousClock.now - start).components
        precondition(length > 0)
        return Double(spent.seconds) + Double(spent.attoseconds) / 1e18
    }
}
