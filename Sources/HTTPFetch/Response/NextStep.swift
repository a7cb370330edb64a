import Links

/// Decides the next step after a response: a redirect, a refresh, another attempt, an error or the page itself. Pure.
enum NextStep: Equatable {
    /// The chain ends with this response.
    case done
    /// Request this URL next.
    case follow(String)
    /// The response is a copy of the page at this URL. Fetch that page, and fall back to the copy if that fails.
    case followCanonical(String)
    /// The site may deny access to robots. Repeat the request with a browser's header fields.
    case askAsBrowser
    case fail(FetchError)

    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - isConditional: whether the request was conditional, for a page that has changed.
    ///   - cookiesChanged: whether the response set a new cookie.
    ///   - now: seconds since 1970, for a Retry-After with a date.
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
                let message = "The site sent a redirect without a target."
                return .fail(FetchError(.badResponse, message, status: head.status))
            }
            guard let target = AbsoluteURL.resolve(location, against: url) else {
                let message = "The site redirects to an invalid web address."
                return .fail(FetchError(.badResponse, message, status: head.status))
            }
            return self.target(withFragment(of: url, target))
        case 304 where isConditional:
            return .done
        case 403 where !askedAsBrowser:
            return .askAsBrowser
        case 400...:
            return .fail(.answered(head.status, retryAfter: RetryAfterField.seconds(head.retryAfter, now: now)))
        default:
            let message = "The site sent a response that is not valid (status \(head.status))."
            return .fail(FetchError(.badResponse, message, status: head.status))
        }
    }

    private static func target(_ url: String) -> NextStep {
        SplitURL(url).isWeb ? .follow(url) : .fail(.blockedScheme)
    }

    /// Returns the target of a `Refresh` header or a meta refresh that works as a redirect. A meta refresh inside
    /// `noscript` counts too, because the fetcher runs no scripts.
    private static func refresh(
        of exchange: Exchange, _ page: PageHead?, url: String, cookiesChanged: Bool
    ) -> String? {
        guard let refresh = exchange.head.refresh.flatMap(Refresh.init) ?? page?.refresh.flatMap(Refresh.init),
            refresh.delay <= Refresh.maxDelay,
            let target = AbsoluteURL.resolve(refresh.target ?? "", against: url), SplitURL(target).isWeb
        else { return nil }
        // A page that reloads itself is the wanted page, unless it has just set the cookie that gives access.
        return sameDocument(target, url) && !cookiesChanged ? nil : target
    }

    /// Returns the URL of the page that an AMP document is a copy of.
    private static func original(of page: PageHead?, url: String) -> String? {
        guard let page, page.isAMP, let target = page.canonical.flatMap({ AbsoluteURL.resolve($0, against: url) }),
            SplitURL(target).isWeb, !sameDocument(target, url)
        else { return nil }
        // Some sites name their front page as the original of every page.
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

    /// A redirect target without a fragment inherits the fragment of the redirecting URL (RFC 9110, 10.2.2).
    private static func withFragment(of url: String, _ target: String) -> String {
        var split = SplitURL(target)
        guard split.fragment == nil, let fragment = SplitURL(url).fragment else { return target }
        split.fragment = fragment
        return split.text
    }
}
