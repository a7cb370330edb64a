internal import Synchronization

/// The requests of a worker that wait because their source has as many running requests as its limit. They occupy no
/// thread.
///
/// Sources take turns. The requests of one source are answered in the order of their arrival. The other workers of the
/// pool are told how old the oldest one of each source is.
final class HeldRequests: Sendable {
    private struct Line {
        let source: RequestSource
        var requests: [(request: ReceivedRequest, deadline: Duration)] = []
        var bytes = 0
        /// Where the age of the first request is announced; nil if there was no room.
        let place: Int?
    }

    private struct Queue {
        /// The requests by the key of their source. No line is empty.
        var lines: [UInt64: Line] = [:]
        /// The keys of the lines in the order of their turns.
        var turns: [UInt64] = []
        var bytes = 0
        /// No request waits longer than this.
        var end: Duration?
        /// Places for announcements that no line has.
        var freePlaces = Array(0..<ScoreboardLayout.heldSources)
    }

    enum Next {
        /// The request has begun.
        case answer(ReceivedRequest)
        /// The request has waited until its deadline.
        case reject(ReceivedRequest)
    }

    private let queue = Mutex(Queue())
    private let count = Atomic(0)
    private let options: WorkerOptions
    private let announced: OldestHeldRequests?

    /// - Parameter announced: tells the other workers of the pool; nil without a pool.
    init(options: WorkerOptions, announced: OldestHeldRequests? = nil) {
        self.options = options
        self.announced = announced
    }

    var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func contains(_ source: RequestSource) -> Bool {
        !isEmpty && queue.withLock { $0.lines[source.key] != nil }
    }

    /// Appends a request to the line of its source. Returns false when a limit is reached: the caller then still owns
    /// the request.
    func add(_ request: ReceivedRequest, of source: RequestSource, until deadline: Duration) -> Bool {
        let size = request.size
        return queue.withLock { queue in
            let known = queue.lines[source.key]
            var line = known ?? Line(source: source, place: queue.freePlaces.last)
            guard line.requests.count < options.heldRequestsOfSource,
                line.bytes + size <= options.heldBytesOfSource,
                count.load(ordering: .relaxed) < options.heldRequests, queue.bytes + size <= options.heldBytes
            else { return false }
            if known == nil {
                queue.turns.append(source.key)
                if let place = queue.freePlaces.popLast() { announced?.announce(source, deadline: deadline, at: place) }
            }
            line.requests.append((request, deadline))
            line.bytes += size
            queue.lines[source.key] = line
            queue.bytes += size
            count.wrappingAdd(1, ordering: .sequentiallyConsistent)
            return true
        }
    }

    /// Removes and returns a request that has waited until its deadline, or else the first one that may begin; nil when
    /// there is neither.
    ///
    /// - Parameter begin: begins a request of a source that has this deadline, or returns false when it has to wait.
    func next(at now: Duration, begin: (RequestSource, Duration) -> Bool) -> Next? {
        if isEmpty { return nil }
        return queue.withLock { queue in
            for key in queue.turns {
                guard let line = queue.lines[key], let first = line.requests.first else { continue }
                if now >= min(first.deadline, queue.end ?? first.deadline) {
                    return .reject(removeFirst(of: key, from: &queue))
                }
            }
            for key in queue.turns {
                if let line = queue.lines[key], let first = line.requests.first, begin(line.source, first.deadline) {
                    return .answer(removeFirst(of: key, from: &queue))
                }
            }
            return nil
        }
    }

    /// Sets a deadline for all requests, those that come later too.
    func endWaits(at deadline: Duration) { queue.withLock { $0.end = deadline } }

    /// Removes the first request of a source that has one, and puts the source behind the others.
    private func removeFirst(of key: UInt64, from queue: inout Queue) -> ReceivedRequest {
        // The callers have read this line, and no line is empty.
        var line = queue.lines.removeValue(forKey: key)!
        let request = line.requests.removeFirst().request
        let size = request.size
        line.bytes -= size
        queue.bytes -= size
        count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        queue.turns.removeAll { $0 == key }
        if let first = line.requests.first {
            if let place = line.place { announced?.announce(line.source, deadline: first.deadline, at: place) }
            queue.turns.append(key)
            queue.lines[key] = line
        } else if let place = line.place {
            announced?.withdraw(place: place)
            queue.freePlaces.append(place)
        }
        return request
    }
}
