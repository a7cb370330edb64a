import Logging

/// A swift-log handler that writes JSON lines to standard error.
public struct JSONLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level

    public init(level: Logger.Level) { logLevel = level }

    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var line = JSONLine(level: event.level.rawValue, message: event.message.description)
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            if case .stringConvertible(let number as any Numeric) = value {
                line.add(name: name, json: "\(number)")
            } else {
                line.add(name: name, value: value.description)
            }
        }
        line.write()
    }
}
