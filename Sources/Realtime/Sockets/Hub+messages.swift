import JSON

extension Hub {
    /// Answers a message as Phoenix' channels do.
    func handle(_ message: ClientMessage, from session: Session, at now: Moment) {
        counters.messages += 1
        switch ClientEvent(rawValue: message.event) {
        case .heartbeat where message.topic == Self.ownTopic: session.reply(to: message, Payload.ok())
        case .join where message.topic.utf8.starts(with: Channel.topicPrefix.utf8): join(message, session, at: now)
        case .leave: leave(message, session)
        case .accessToken: useToken(message, session, at: now)
        case .broadcast, .presence: acknowledge(message, session)
        default: refuse(message, session)
        }
        if session.isOverflowing { close(session, .slowReader) }
    }

    /// The topic of heartbeats.
    private static let ownTopic = "phoenix"

    // MARK: - Joins

    /// Joins a topic. A join of a topic that is joined already replaces it, as after a reply that was lost.
    private func join(_ message: ClientMessage, _ session: Session, at now: Moment) {
        let channel: Channel
        let echo: [JSON]
        do throws(JoinError) {
            (channel, echo) = try self.channel(message, session, at: now)
        } catch {
            counters.refusedJoins += 1
            return session.reply(to: message, Payload.error(error.reason))
        }
        change(session) {
            session.channels.removeAll { $0.has(channel.topic) }
            session.channels.append(channel)
        }
        counters.joins += 1
        session.reply(to: message, Payload.ok(.object([.init("postgres_changes", .array(echo))])))
        session.push(.presenceState, Payload.empty, to: channel)
        guard channel.watches else { return }
        if feed.isLive {
            announceFeed(to: channel, of: session)
        } else if let index = session.channel(channel.topic) {
            session.channels[index].awaitsFeed = true
        }
    }

    /// The channel that a join asks for, and its bindings for the reply.
    private func channel(
        _ message: ClientMessage, _ session: Session, at now: Moment
    ) throws(JoinError) -> (Channel, [JSON]) {
        let others = session.channels.filter { !$0.has(message.topic) }
        guard others.count < limits.channelsPerSocket else { throw .tooManyChannels }
        let subscriber = try subscriber(message.payload["access_token"]?.string, session, at: now)
        let wanted = try Self.wanted(message.payload)
        guard wanted.count <= limits.bindingsPerChannel else { throw .tooManyBindings(limits.bindingsPerChannel) }
        let echo = wanted.map { Binding.echo($0, id: session.nextBindingID()) }
        let size = message.topic.utf8.count + message.joinRef.bytes.count + echo.reduce(0) { $0 + $1.bytes.count }
        guard others.reduce(size, { $0 + $1.size }) <= limits.joinBytesPerSocket else { throw .tooLarge }
        var bindings: [Binding] = []
        if !echo.isEmpty {
            guard let tables else { throw .notReady }
            for json in echo {
                do throws(BindingError) { bindings.append(try Binding(json, tables: tables)) } catch {
                    throw .binding(error)
                }
            }
        }
        let kept = bindings.reduce(size) { $0 + $1.overhead }
        guard others.reduce(kept, { $0 + $1.size }) <= limits.joinBytesPerSocket else { throw .tooLarge }
        let channel = Channel(
            topic: message.topic, joinRef: message.joinRef, bindings: bindings, size: kept, subscriber: subscriber)
        let replaced = session.channel(channel.topic).map { session.channels[$0] }
        try admit(bindings.count, replacing: replaced, of: session, to: subscriber.rows)
        return (channel, echo)
    }

    /// The entries of `postgres_changes`.
    private static func wanted(_ payload: JSON) throws(JoinError) -> [JSON] {
        switch payload["config"]?["postgres_changes"] {
        case nil, .null: return []
        case .array(let entries): return entries
        default: throw .binding(.malformed)
        }
    }

    /// Whom a token identifies. Without a token the API key of the connection counts.
    private func subscriber(_ token: String?, _ session: Session, at now: Moment) throws(JoinError) -> Subscriber {
        guard let token else { return session.key }
        let subscriber: Subscriber
        do throws(TokenRefusal) { subscriber = try verify(token, now.epoch) } catch { throw .token(error.reason) }
        // The verifier tolerates the difference of two clocks, but no change is sent after the expiry.
        guard !subscriber.isExpired(at: now) else { throw .token("Token has expired") }
        return subscriber
    }

    /// Tells a channel that every change that is committed from now on will be sent.
    func announceFeed(to channel: Channel, of session: Session) {
        session.push(
            .system,
            Payload.system(
                "ok", extension: "postgres_changes", message: "Subscribed to PostgreSQL", channel: channel.name),
            to: channel)
    }

    // MARK: - Joined topics

    /// Acknowledges a message that is then dropped.
    private func acknowledge(_ message: ClientMessage, _ session: Session) {
        guard session.channel(message.topic) != nil else { return refuse(message, session) }
        if message.ref != .null { session.reply(to: message, Payload.ok()) }
    }

    /// Refuses a message to a topic that is not joined, or with an unknown event.
    private func refuse(_ message: ClientMessage, _ session: Session) {
        if message.ref != .null { session.reply(to: message, Payload.error("unmatched topic")) }
    }

    /// Leaves a topic. As in Phoenix, leaving succeeds whether or not the topic is joined. A late message about a join
    /// that was replaced leaves the new one alone.
    private func leave(_ message: ClientMessage, _ session: Session) {
        session.reply(to: message, Payload.ok())
        guard let index = session.channel(message.topic) else { return }
        let channel = session.channels[index]
        if message.joinRef != .null, channel.joinRef != .null, message.joinRef.bytes != channel.joinRef.bytes { return }
        end(channel, of: session)
    }

    /// Takes a fresh token for a channel. It takes effect at once and is not answered.
    ///
    /// A token that has expired only silences the channel until a fresh one arrives: a client that wakes up may push its
    /// old token before it refreshes it, and supabase-js does not join again after the server has closed a channel.
    private func useToken(_ message: ClientMessage, _ session: Session, at now: Moment) {
        guard let index = session.channel(message.topic) else { return refuse(message, session) }
        let channel = session.channels[index]
        var subscriber = session.key
        if let token = message.payload["access_token"]?.string {
            do throws(TokenRefusal) {
                subscriber = try verify(token, now.epoch)
            } catch .expired {
                subscriber = Subscriber(rows: channel.subscriber.rows, expiresAt: .min)
            } catch {
                return refuse(error.reason, channel, session)
            }
        }
        do throws(JoinError) {
            try admit(channel.bindings.count, replacing: channel, of: session, to: subscriber.rows)
        } catch {
            return refuse(error.reason, channel, session)
        }
        change(session) { session.channels[index].subscriber = subscriber }
    }

    /// Closes a channel because of its token.
    private func refuse(_ reason: String, _ channel: Channel, _ session: Session) {
        counters.refusedTokens += 1
        session.push(
            .system, Payload.system("error", extension: "system", message: reason, channel: channel.name), to: channel)
        end(channel, of: session)
    }

    private func end(_ channel: Channel, of session: Session) {
        change(session) { session.channels.removeAll { $0.has(channel.topic) } }
        session.push(.close, Payload.empty, to: channel, ref: channel.joinRef)
    }
}
