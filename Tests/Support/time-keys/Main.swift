import Charsets
import Links

/// Times the dedupe key. Reads lines of kind, tab, URL from the standard input; prints a line a kind: kind, microseconds
/// a URL.
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
            // The quickest round counts: what else the machine does only adds.
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
