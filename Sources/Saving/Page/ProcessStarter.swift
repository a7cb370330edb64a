import Confinement
import Synchronization
import Threads

/// Starts confined processes on one thread. A process ends with the thread that started it, so that thread must outlive
/// all users of the processes.
final class ProcessStarter: Sendable {
    private typealias Started = Result<ConfinedProcess, ConfinedProcess.NotStarted>

    private let orders = Mutex<(waiting: [Order], isStopped: Bool)>(([], false))
    private let wakeUp = WakeUp()

    private final class Order: Sendable {
        let recipe: ConfinedProcess.LaunchOptions
        let started = Mutex<Started?>(nil)

        init(_ recipe: ConfinedProcess.LaunchOptions) { self.recipe = recipe }
    }

    init() {
        Thread.start { [orders = Reference(self)] in orders.starter.work() }
    }

    /// Keeps the starter alive until its thread ends.
    private final class Reference: Sendable {
        let starter: ProcessStarter
        init(_ starter: ProcessStarter) { self.starter = starter }
    }

    func start(_ recipe: ConfinedProcess.LaunchOptions) throws(ConfinedProcess.NotStarted) -> ConfinedProcess {
        let order = Order(recipe)
        let isStopped = orders.withLock { orders in
            if !orders.isStopped { orders.waiting.append(order) }
            return orders.isStopped
        }
        guard !isStopped else { throw ConfinedProcess.NotStarted(description: "the service is stopping") }
        wakeUp.all()
        while true {
            if let started = order.started.withLock({ $0 }) { return try started.get() }
            wakeUp.wait(milliseconds: 1_000) { order.started.withLock { $0 != nil } }
        }
    }

    /// Ends the thread, and with it every process it has started.
    func stop() {
        orders.withLock { $0.isStopped = true }
        wakeUp.all()
    }

    private func work() {
        while true {
            let (order, isStopped) = orders.withLock { orders in
                (orders.waiting.isEmpty ? nil : orders.waiting.removeFirst(), orders.isStopped)
            }
            if let order {
                let started: Started
                do throws(ConfinedProcess.NotStarted) {
                    started = .success(try ConfinedProcess(order.recipe))
                } catch {
                    started = .failure(error)
                }
                order.started.withLock { $0 = started }
                wakeUp.all()
            } else if isStopped {
                return
            } else {
                wakeUp.wait(milliseconds: 60_000) { [self] in orders.withLock { !$0.waiting.isEmpty || $0.isStopped } }
            }
        }
    }
}
