import ReaderProcess
import Settings

extension ReaderLimits {
    init(_ settings: Settings) {
        self.init()
        // Everything that the fetcher accepts can be read.
        sourceBytes = settings.number("FETCH_INFLATED_LIMIT")
        nodes = settings.number("READ_NODES")
        seconds = settings.number("READ_TIMEOUT")
        memoryBytes = settings.number("READ_MEMORY")
    }
}
