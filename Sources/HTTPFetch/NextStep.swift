import Links

/// What follows from an answer. Pure.
enum NextStep: Equatable {
    /// The chain ends here, with this answer.
    case done
    case follow(String)
    /// The answer is a copy of the page at this URL, which is meant; but should that not be there, the copy is the end.
    case followCanonical(String)
    /// A refusal that may be meant for robots: once more, dressed as a browser.
    case askAsBrowser
    case fail(FetchError)

    /// - Parameters:
    ///   - url: the URL that gave the answer.
    ///   - isConditional: whether the site was asked for the page only if it has changed.
    ///   - cookiesChanged: whether the answer set a cookie that was not there before.
    ///   - now: seconds since 1970, for a Retry-After that names a date.
    static func after(
        _ exchange: Exchange, url: String, askedAsBrowser: Bool, isConditional: Bool, cookiesChanged: Bool, now: Int
    ) -> NextStep {
        let head = exchange.head
        switch head.status {
        case 200...299:
            let page = exchange.kind == .html ? PageHead(exchange.body) : nil
            return refresh(of: exchange, page, url: url, cookiesChanged: cookiesChanged).map(target)
                ?? original(of: page, url: url).map(NextStep.followCanonical) ?? .done
        case 301, 302, 303, 307, 308:
            guard let location = head.location, !location.isEmpty else {
                return .fail(FetchError(.badResponse, "The site redirects without saying where.", status: head.status))
            }
            guard let target = AbsoluteURL.resolve(location, against: url) else {
                let message = "The site redirects to something that is no web address."
                return .fail(FetchError(.badResponse, message, status: head.status))
            }
            return self.target(withFragment(of: url, target))
        case 304 where isConditional:
            return .done
        case 403 where !askedAsBrowser:
            return .askAsBrowser
        case 400...:
            return .fail(.answered(head.status, retryAfter: RetryAfter.seconds(head.retryAfter, now: now)))
        default:
            let message = "The site gave an answer that makes no sense (status \(head.status))."
            return .fail(FetchError(.badResponse, message, status: head.status))
        }
    }

    private static func target(_ url: String) -> NextStep {
        SplitURL(url).isWeb ? .follow(url) : .fail(.refusedScheme)
    }

    /// Where a `Refresh` header or a meta refresh leads, if it is meant as a redirect. A meta refresh also inside `noscript`: we
    /// run no scripts, so it is meant for us.
    private static func refresh(of exchange: Exchange, _ page: PageHead?, url: String, cookiesChanged: Bool) -> String? {
        guard let refresh = exchange.head.refresh.flatMap(Refresh.init) ?? page?.refresh.flatMap(Refresh.init),
            refresh.delay <= Refresh.longestDelay,
            let target = AbsoluteURL.resolve(refresh.target ?? "", against: url), SplitURL(target).isWeb
        else { return nil }
        // A page that reloads itself is the page we want, unless it just handed us the cookie that opens it.
        return sameDocument(target, url) && !cookiesChanged ? nil : target
    }

    /// The page that an AMP document is a copy of.
    private static func original(of page: PageHead?, url: String) -> String? {
        guard let page, page.isAMP, let target = page.canonical.flatMap({ AbsoluteURL.resolve($0, against: url) }),
            SplitURL(target).isWeb, !sameDocument(target, url)
        else { return nil }
        // Some sites call their front page the original of everything.
        return isRoot(target) && !isRoot(url) ? nil : target
    }

    private static func isRoot(_ url: String) -> Bool {
        let split = SplitURL(url)
        return ["", "/"].contains(split.path) && split.query == nil
    }

    private static func sameDocument(_ one: String, _ other: String) -> Bool {
        func bare(_ url: String) -> String? {
            AbsoluteURL.resolve(url).map {
                var split = SplitURL($0)
                split.fragment = nil
                return split.text
            }
        }
        return bare(one) == bare(other)
    }

    /// A redirect without a fragment keeps the one it came with (RFC 9110, 10.2.2).
    private static func withFragment(of url: String, _ target: String) -> String {
        var split = SplitURL(target)
        guard split.fragment == nil, let fragment = SplitURL(url).fragment else { return target }
        split.fragment = fragment
        return split.text
    }
}
