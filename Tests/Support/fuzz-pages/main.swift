import Foundation
import HTML
import JSON
import Links
import Readability

// Feeds random pages to every component that reads pages, or prints them with the trees that the parser builds.
//
//     fuzz-pages run SECONDS SEED [FOLDER]    FOLDER contains pages to mutate, <name>/source.html
//     fuzz-pages trees COUNT SEED

enum Fuzzing {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 3, let amount = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
            print("usage: fuzz-pages run SECONDS SEED [FOLDER] | trees COUNT SEED")
            exit(2)
        }
        if arguments[1] == "run" {
            run(seconds: amount, seed: seed, folder: arguments.count > 3 ? arguments[4] : nil)
        } else {
            printTrees(amount, seed: seed)
        }
    }

    // MARK: - Fuzzing all readers

    private static func run(seconds: Int, seed: UInt64, folder: String?) {
        let models = folder.map(pages) ?? []
        let start = Date()
        var count = 0
        var articles = 0
        var slowest = (seconds: 0.0, name: "")
        while Date().timeIntervalSince(start) < Double(seconds) {
            let kind = RandomPage.Kind.allCases[count % RandomPage.Kind.allCases.count]
            let own = seed &+ UInt64(count)
            var random = RandomPage(seed: own, models: models)
            let page = random.make(kind)
            // If a page hangs, a timer ends the program, and the last output names the page. The timer counts processor
            // time, so other load on the machine does not matter.
            FileHandle.standardError.write(Data("\r\(kind) \(own) ".utf8))
            var timeLimit = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: 20, tv_usec: 0))
            setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timeLimit, nil)
            let before = clock()
            if let problem = problem(page, mayExceedBudget: kind == .repetition, &articles) {
                print("\(kind) page \(own): \(problem)")
                exit(1)
            }
            let taken = Double(clock() - before) / Double(CLOCKS_PER_SEC)
            if taken > slowest.seconds { slowest = (taken, "\(kind) \(own), \(page.count) bytes") }
            count += 1
        }
        print("\(count) pages, \(articles) articles, the slowest \(slowest.seconds) s (\(slowest.name))")
    }

    /// Returns a description of the first problem found with a page, or nil.
    private static func problem(_ page: [UInt8], mayExceedBudget: Bool, _ articles: inout Int) -> String? {
        guard let document = try? Document(parsing: page), let again = try? Document(parsing: page) else {
            return mayExceedBudget ? nil : "over budget"
        }
        if Tree.lines(of: document) != Tree.lines(of: again) { return "the tree differs on the second run" }
        for mode in [ExtractionMode.compat, .best] {
            let extraction = Extraction(mode: mode, keptClasses: ["caption"])
            let article = extraction.article(in: document, url: "https://h.example/a/b")
            if article != extraction.article(in: document, url: "https://h.example/a/b") {
                return "the article differs on the second run in mode \(mode)"
            }
            guard let article else { continue }
            articles += 1
            guard let content = try? Document(parsing: article.content) else {
                if mayExceedBudget { continue }
                return "the article is over budget"
            }
            if Markdown.render(content, content.root) != Markdown.render(content, content.root) {
                return "the Markdown differs on the second run"
            }
        }
        let whole = String(decoding: page, as: UTF8.self)
        guard let safe = try? Sanitizer(base: WebAddress("the sanitizer rejected it as over budget")).sanitize(whole)
        else {
            return mayExceedBudget ? nil : "the sanitizer found it over budget"
        }
        if (try? Sanitizer().sanitize(safe)) != safe { return "the sanitizer's output is not stable" }
        if (try? PageReader().read(page, url: "https://h.example/a")) == nil, !mayExceedBudget {
            return "the page reader rejected it"
        }
        return nil
    }

    private static func pages(in folder: String) -> [[UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)/source.html") }.map(
            Array.init)
    }

    // MARK: - Trees

    private static func printTrees(_ count: Int, seed: UInt64) {
        for index in 0..<count {
            var random = RandomPage(seed: seed &+ UInt64(index), models: [])
            let page = String(decoding: random.make(index % 2 == 0 ? .soup : .grammar), as: UTF8.self)
            guard let document = try? Document(parsing: page) else { continue }
            let line = JSON.object([.init("html", .string(page)), .init("tree", .string(Tree.lines(of: document)))])
            print(String(decoding: line.bytes, as: UTF8.self))
        }
    }
}

Fuzzing.main()
