import Glibc
import Poppler
import Readability
import ReaderProcess

/// Reads a PDF file as an article, with as many pages as time and space allow.
enum PDFReading {
    /// The number of pages of the longest file that is read completely.
    private static let maxPages = 5_000
    /// The maximum size of the text, in bytes.
    private static let maxTextBytes = 4_000_000

    static func response(to request: ReaderRequest, limits: ReaderLimits) -> ReaderResponse {
        guard request.kind == .pdf else { return .overBudget }
        do throws(PDFFile.Failure) {
            return .read(read(try PDFFile(request.html), url: request.url, seconds: Double(limits.seconds)))
        } catch {
            return .read(
                PageReading(
                    metadata: PageMetadata(), article: nil,
                    interstitial: error == .encrypted ? .lockedFile : .damagedFile))
        }
    }

    /// - Parameter seconds: the processor time after which the process is ended; on a busy machine, it is ended after four
    ///   times as long. Reading stops before both.
    private static func read(_ file: borrowing PDFFile, url: String, seconds: Double) -> PageReading {
        let count = file.pageCount
        let end = time(CLOCK_PROCESS_CPUTIME_ID) + seconds * 0.6
        let latestEnd = time(CLOCK_MONOTONIC) + seconds * 2
        var lines: [PrintedLine] = []
        var bytes = 0
        var next = 0
        while next < min(count, maxPages), bytes < maxTextBytes, time(CLOCK_PROCESS_CPUTIME_ID) < end,
            time(CLOCK_MONOTONIC) < latestEnd
        {
            for line in file.lines(ofPage: next) {
                bytes += line.text.utf8.count
                lines.append(
                    PrintedLine(
                        text: line.text, left: line.left, top: line.top, right: line.right, bottom: line.bottom,
                        page: next,
                        pageHeight: line.pageHeight))
            }
            next += 1
        }
        return PageReader().readPrinted(
            lines, title: file.title, author: file.author, pages: count, isWhole: next >= count, url: url)
    }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
