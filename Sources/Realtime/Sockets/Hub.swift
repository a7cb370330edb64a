/// All sockets of the process: it answers their messages and sends each change to the channels that may see it.
///
/// A change carries the owner of its row, and goes only to channels whose verified token names that user as `sub`. The
/// alternative, reading each row again under its user's row-level security, could not show deleted rows, and would cost
/// a query for each user and change. The policies of all tables in the change log compare `user_id` with the user, so
/// both give the same rows.
///
/// It is not `Sendable`: everything happens on the thread of the event loop.
public final class Hub {
    public let limits: Limits
    let verify: TokenVerifier
    private let feedWanted: (Int?) -> Void
    private var sessions: [ObjectIdentifier: Session] = [:]
    private var watchers: [Subscriber.Rows: Watchers] = [:]

    /// The sockets with channels that watch the same rows.
    private struct Watchers {
        var sessions: [Session] = []
        /// The number of bindings of all these channels.
        var bindings = 0
    }

    private(set) var feed = FeedState()
    /// Nil until the catalog was read once.
    var tables: Tables?
    public internal(set) var counters = Counters()

    /// - Parameters:
    ///   - verify: verifies the tokens of clients.
    ///   - feedWanted: called when changes become wanted, with a new number, and with nil when they no longer are.
    public init(limits: Limits, verify: @escaping TokenVerifier, feedWanted: @escaping (Int?) -> Void) {
        self.limits = limits
        self.verify = verify
        self.feedWanted = feedWanted
    }

    // MARK: - Sockets

    public var socketCount: Int { sessions.count }
    public var channelCount: Int { sessions.values.reduce(0) { $0 + $1.channels.count } }
    /// Whether no further socket may be opened.
    public var isFull: Bool { sessions.count >= limits.sockets }

    /// Adds a socket.
    ///
    /// - Parameter key: what the API key of the connection shows.
    public func open(_ peer: any Peer, _ version: ProtocolVersion, key: Subscriber, at now: Moment) -> Session {
        let session = Session(peer, version, key: key, limits, at: now)
        sessions[ObjectIdentifier(session)] = session
        counters.opened += 1
        return session
    }

    /// Handles a text message of an open socket.
    ///
    /// - Parameter text: valid UTF-8.
    public func receive(_ text: [UInt8], from session: Session, at now: Moment) {
        guard let message = ClientMessage(text, session.version) else { return close(session, .malformed) }
        handle(message, from: session, at: now)
    }

    /// Handles a binary message of an open socket.
    public func receive(binary bytes: [UInt8], from session: Session, at now: Moment) {
        guard session.version == .arrays, let message = ClientMessage(binaryBroadcast: bytes) else {
            return close(session, .binary)
        }
        handle(message, from: session, at: now)
    }

    /// Notes that a frame has arrived, before its message is handled: a fragment counts as a message, so that endless
    /// small ones exceed the rate. Returns false if the socket is closed, also because it has sent too much.
    ///
    /// - Parameter bytes: the length of the frame's payload.
    public func heard(_ session: Session, bytes: Int, at now: Moment) -> Bool {
        guard isOpen(session) else { return false }
        session.heardAt = now.uptime
        session.isPinged = false
        guard session.messages.admits(1, limits.messages, at: now), session.bytes.admits(bytes, limits.bytes, at: now)
        else {
            close(session, .tooManyMessages)
            return false
        }
        return true
    }

    /// Closes a socket.
    public func close(_ session: Session, _ reason: CloseReason) {
        guard isOpen(session) else { return }
        counters.closed[reason, default: 0] += 1
        forget(session)
        session.peer.close(reason)
    }

    /// Closes some of the sockets, so that all of them do not connect again at the same time.
    public func close(atMost count: Int, _ reason: CloseReason) {
        for session in sessions.values.prefix(count) { close(session, reason) }
    }

    /// Removes a socket that the client has closed or lost.
    public func forget(_ session: Session) {
        guard sessions.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
        change(session) { session.channels = [] }
    }

    /// Pings silent sockets and closes dead ones. Called about once a second.
    public func tick(at now: Moment) {
        for session in sessions.values {
            let silence = now.uptime - session.heardAt
            if silence >= limits.deadAfter {
                close(session, .dead)
            } else if silence >= limits.pingAfter, !session.isPinged {
                session.isPinged = true
                session.peer.ping()
            }
        }
    }

    func isOpen(_ session: Session) -> Bool { sessions[ObjectIdentifier(session)] != nil }

    /// Changes the channels of a socket, and keeps the index of watchers.
    func change(_ session: Session, _ body: () -> Void) {
        let (before, count) = (session.watchedRows, session.channels.count { $0.watches })
        body()
        let after = session.watchedRows
        for (rows, bindings) in before {
            watchers[rows]?.bindings -= bindings
            if after[rows] == nil { watchers[rows]?.sessions.removeAll { $0 === session } }
            if watchers[rows]?.sessions.isEmpty == true { watchers[rows] = nil }
        }
        for (rows, bindings) in after {
            watchers[rows, default: Watchers()].bindings += bindings
            if before[rows] == nil { watchers[rows]?.sessions.append(session) }
        }
        if feed.changeWatchers(by: session.channels.count { $0.watches } - count) { feedWanted(feed.wanted) }
    }

    /// Checks that a channel may watch these rows: a user has a limited number of sockets and of bindings.
    ///
    /// - Parameters:
    ///   - bindings: the number of bindings of the channel.
    ///   - replaced: the channel that it replaces.
    func admit(
        _ bindings: Int, replacing replaced: Channel?, of session: Session, to rows: Subscriber.Rows
    ) throws(JoinError) {
        guard case .own = rows, bindings > 0, let present = watchers[rows] else { return }
        if present.sessions.count >= limits.socketsPerUser, !present.sessions.contains(where: { $0 === session }) {
            throw .tooManySockets
        }
        let freed = replaced?.subscriber.rows == rows ? replaced?.bindings.count ?? 0 : 0
        guard present.bindings - freed + bindings <= limits.bindingsPerUser else { throw .tooManyBindingsOfUser }
    }

    // MARK: - Changes

    /// Takes the tables whose changes can be subscribed to.
    public func use(_ tables: Tables) { self.tables = tables }

    /// Notes that every change that is committed from now on will be delivered.
    ///
    /// - Parameter generation: the number with which changes were wanted.
    public func feedIsLive(_ generation: Int) {
        feed.becameLive(generation)
        guard feed.isLive else { return }
        for session in sessions.values {
            let waiting = session.channels.filter(\.awaitsFeed)
            for index in session.channels.indices { session.channels[index].awaitsFeed = false }
            for channel in waiting { announceFeed(to: channel, of: session) }
        }
    }

    /// Notes that changes do not arrive for now. They will all be delivered later.
    public func feedIsInterrupted() { feed.wasInterrupted() }

    /// Closes the sockets that may miss changes.
    public func feedHasGap() {
        feed.wasInterrupted()
        for session in sessions.values where session.channels.contains(where: \.watches) { close(session, .gap) }
    }

    /// Sends a change to the channels that want it and may see it.
    public func deliver(_ change: Change, at now: Moment) {
        counters.changes += 1
        guard let table = tables?[change.table] else { return }
        var delivery = Delivery(change, table, at: now)
        for rows in [.own(change.user), .all] as [Subscriber.Rows] {
            for session in watchers[rows]?.sessions ?? [] {
                delivery.send(to: session, showing: rows)
                if session.isOverflowing { close(session, .slowReader) }
            }
        }
        counters.add(delivery)
    }
}
