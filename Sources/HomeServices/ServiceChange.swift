/// What has to be done to a service after its table or its inputs may have changed.
struct ServiceChange: Equatable {
    enum Action: Equatable {
        /// Stop it, if it runs, and start it.
        case restart
        /// Start its replacement, which stops it.
        case replace
        /// Have it read its configuration again.
        case reload
    }

    var service: Service
    var action: Action

    /// The changes of all services, in the order of the table.
    ///
    /// - Parameter hasChanged: whether the service was never started from its present inputs.
    static func all(
        in services: [Service], hasChanged: (Service) -> Bool, isRunning: (Service) -> Bool
    ) -> [ServiceChange] {
        services.filter(hasChanged).map { service in
            switch service.kind {
            case .handover where isRunning(service): ServiceChange(service: service, action: .replace)
            case .reload where isRunning(service): ServiceChange(service: service, action: .reload)
            case .daemon, .handover, .reload, .once: ServiceChange(service: service, action: .restart)
            }
        }
    }

    /// The services that the new table lacks, in the order they stop.
    static func removed(from old: [Service], to new: [Service]) -> [Service] {
        old.reversed().filter { service in !new.contains { $0.name == service.name } }
    }
}
