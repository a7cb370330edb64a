import HTML
import Links

/// Reads books as articles.
extension PageReader {
    /// Reads an EPUB: its chapters in their order become one article, with the pictures that fit into it.
    ///
    /// - Parameters:
    ///   - url: of the link.
    ///   - size: bytes that all parts which are read may have together.
    ///   - part: the content of a part, by its path in the archive and with at most so many bytes; nil where there is
    ///     none. Throws where the part is encrypted, damaged or larger.
    public func readBook(
        url: String, size: Int, part: @escaping (_ path: String, _ limit: Int) throws(BookFailure) -> [UInt8]?
    ) throws(ParseError) -> PageReading {
        var left = size
        func read(_ path: String) throws(EPUBPackage.Failure) -> [UInt8]? {
            do throws(BookFailure) {
                let content = try part(path, left)
                left -= content?.count ?? 0
                return content
            } catch {
                throw EPUBPackage.Failure(error)
            }
        }
        do throws(EPUBPackage.Failure) {
            let package = try EPUBPackage(read)
            let pictures = EPUBPictures { path, limit in try? part(path, limit) }
            var content = EPUBContent(package, pictures, budget: budget)
            var isWhole = true
            for place in package.chapters.indices {
                do throws(EPUBPackage.Failure) {
                    guard let chapter = try read(package.chapters[place].path) else { continue }
                    guard content.add(chapter, at: place) else { throw .tooLarge }
                } catch .tooLarge {
                    // What does not fit is left out, with everything after it.
                    guard !content.isEmpty else { throw .tooLarge }
                    isWhole = false
                    break
                }
            }
            return try reading(package, content, isWhole: isWhole)
        } catch {
            switch error {
            case .encrypted: return PageReading(metadata: PageMetadata(), article: nil, interstitial: .lockedFile)
            case .damaged: return PageReading(metadata: PageMetadata(), article: nil, interstitial: .damagedFile)
            case .tooLarge: throw .overBudget
            }
        }
    }

    private func reading(
        _ package: EPUBPackage, _ content: EPUBContent, isWhole: Bool
    ) throws(EPUBPackage.Failure) -> PageReading {
        var metadata = PageMetadata()
        metadata.title = OneLine.of(package.title, limit: 1_000)
        metadata.byline = OneLine.of(package.authors.joined(separator: ", "), limit: 1_000)
        metadata.lang = package.lang
        metadata.publishedTime = OneLine.of(package.date, limit: 200)
        metadata.description = OneLine.of(Self.textOnly(package.description), limit: 5_000)
        do throws(ParseError) {
            let reading = try wholeArticle(content.html, metadata)
            guard !isWhole, reading.article != nil else { return reading }
            return PageReading(metadata: reading.metadata, article: reading.article, interstitial: .beginningOnly)
        } catch {
            throw .tooLarge
        }
    }

    /// Descriptions of books often are HTML.
    private static func textOnly(_ html: String?) -> String? {
        guard let html, html.contains("<") else { return html }
        var document = Document()
        guard let fragment = try? document.parseFragment(Array(html.utf8), budget: ParseBudget()) else { return nil }
        return document.textContent(fragment)
    }
}

/// Why a part of a book cannot be read.
public enum BookFailure: Error, Equatable {
    case encrypted, damaged, tooLarge
}

extension EPUBPackage.Failure {
    fileprivate init(_ failure: BookFailure) {
        self =
            switch failure {
            case .encrypted: .encrypted
            case .damaged: .damaged
            case .tooLarge: .tooLarge
            }
    }
}
