import ArgumentParser
import Readability

/// `name=number`, an option of `lectern extract`.
struct RegionWeightSetting: ExpressibleByArgument {
    let path: WritableKeyPath<RegionWeights, Double> & Sendable
    let value: Double

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let value = Double(parts[1]), value.isFinite,
            let named = RegionWeights.named.first(where: { $0.name == parts[0] })
        else { return nil }
        path = named.path
        self.value = value
    }
}
