import Import
import Jobs
import ReaderProcess

/// Reads documents: files that are links themselves.
struct ReadDocument: Sendable {
    /// The folder of documents.
    let folder: String
    private let readPage: ReadPage
    /// Bytes of the largest file that a reader process accepts.
    private let limit: Int

    init(folder: String, _ readPage: ReadPage, _ limits: ReaderLimits = ReaderLimits()) {
        self.folder = folder
        self.readPage = readPage
        limit = 3 * limits.sourceBytes
    }

    /// Reads a document with its article, or the reason there is none. Its title is its own, or its name.
    func callAsFunction(_ document: DocumentFile, url: String) throws(SaveError) -> ExtractedPage {
        var extracted: ExtractedPage
        switch page(of: document, url: url) {
        case .success(let page): extracted = try read(page)
        case .failure(.missing): throw .failed(Self.missing)
        case .failure(.tooLarge):
            let page = Page(url: url, contentType: document.kind.rawValue, origin: .stored(.client))
            extracted = ExtractedPage(page: page, kind: document.kind == .pdf ? .pdf : .article, missing: .unreadFile)
        }
        if extracted.article == nil, extracted.missing == .overBudget { extracted.missing = .unreadFile }
        extracted.title = extracted.title ?? document.title
        // The name stands where an article of the web has its site.
        extracted.article?.siteName = document.name
        // The link is the file, not a page that it names.
        (extracted.canonical, extracted.icon, extracted.enclosure) = (nil, nil, nil)
        return extracted
    }

    private func page(of document: DocumentFile, url: String) -> Result<Page, DocumentFile.Unreadable> {
        do throws(DocumentFile.Unreadable) { return .success(try document.page(url: url, limit: limit)) } catch {
            return .failure(error)
        }
    }

    /// A page of which no article was found is an article as a whole: its user has chosen it.
    private func read(_ page: Page) throws(SaveError) -> ExtractedPage {
        let extracted = try readPage(page)
        guard page.html != nil, extracted.article == nil, extracted.missing != .overBudget else { return extracted }
        var whole = try readPage.whole(page)
        if whole.article != nil { whole.kind = .article }
        return whole
    }

    private static let missing = SaveError.Failure(
        cause: JobFailure(reason: "no_document", message: "The file of this document is missing. Send it again."),
        isRetryable: false)

    /// Whether an uploaded file can be read as a document.
    func check(_ path: String, _ kind: DocumentKind, name: String) -> ImportWorker.Check {
        let document = DocumentFile(path: path, kind: kind, name: name)
        // A file that is too large to be read is kept.
        if case .failure(.tooLarge) = page(of: document, url: "") { return .readable }
        do throws(SaveError) {
            let extracted = try self(document, url: "urn:sha256:")
            guard extracted.article == nil else { return .readable }
            switch extracted.missing {
            case .behind(.lockedFile): return .unreadable("This file is protected by a password.")
            case .behind(.damagedFile):
                return .unreadable("This file is damaged, or not of the type it claims to be.")
            case .behind(.empty): return .unreadable("This file has no text.")
            case .unreadFile where kind == .epub:
                return .unreadable("This book is too large or too complex to be read.")
            // Scanned pages are kept, and so are PDF files that take too long to be read.
            default: return .readable
            }
        } catch {
            switch error {
            case .outage(let why): return .unavailable(why.message)
            case .failed, .lostLease: return .unreadable("This file could not be read.")
            }
        }
    }
}
