import Links
import Postgres

/// The list of tracking parameters in the database: functions that hold it as constants, because a table would have to be
/// read for every link that is written.
struct TrackingList {
    let parameters: TrackingParameters

    /// Replaces the functions if they hold another version of the list. Runs in the migrator's transaction as
    /// lectern_owner, after sql/schema/tracking_parameters.sql, which creates them empty.
    func install(_ connection: inout Connection) throws {
        let exists = try connection.query("select to_regprocedure('rest.tracking_parameters_version()') is not null")
        guard exists.bool(0, 0) == true else { return }
        guard try connection.query("select rest.tracking_parameters_version()").int(0, 0) != parameters.version else {
            return
        }
        try connection.script(definitions)
    }

    /// The functions of sql/schema/tracking_parameters.sql with this list in them.
    var definitions: String {
        let everywhere = parameters.namesEverywhere
        let whole = everywhere.filter { !$0.hasSuffix("*") }.map(Self.spelled)
        let prefixes = everywhere.filter { $0.hasSuffix("*") }.map { Self.pattern(ofBeginning: $0.dropLast()) }
        let sites = parameters.namesBySite
        let each = sites.map {
            "when \(Self.literal($0.domain)) then \(Self.literal("^(?:" + Self.alternatives($0.names) + ")$"))"
        }
        return """
            create or replace function rest.tracking_parameters_version() returns integer
                language sql immutable parallel safe as $$ select \(parameters.version) $$;
            create or replace function rest.tracking_names() returns text[]
                language sql immutable parallel safe as $$ select \(Self.array(whole)) $$;
            create or replace function rest.tracking_prefixes() returns text[]
                language sql immutable parallel safe as $$ select \(Self.array(prefixes)) $$;
            create or replace function rest.tracking_domains() returns text[]
                language sql immutable parallel safe as $$ select \(Self.array(sites.map(\.domain))) $$;
            create or replace function rest.tracking_of(domain text) returns text
                language sql immutable parallel safe as $$ select case domain \(each.joined(separator: "\n")) end $$
            """
    }

    private static func alternatives(_ names: [String]) -> String {
        names.map { $0.hasSuffix("*") ? escaped($0.dropLast()) + ".*" : escaped($0) }.joined(separator: "|")
    }

    private static func array(_ values: [String]) -> String {
        "array[" + values.map(literal).joined(separator: ",") + "]::text[]"
    }

    /// A name as it appears in a key: in lower case, with the characters escaped that a URL cannot contain.
    private static func spelled(_ name: some StringProtocol) -> String { escaped(name).replacing("\\", with: "") }

    /// A LIKE pattern for the names with this prefix.
    private static func pattern(ofBeginning name: some StringProtocol) -> String {
        spelled(name).replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
    }

    /// A name as it appears in a key, for a regular expression.
    private static func escaped(_ name: some StringProtocol) -> String {
        var result = ""
        for byte in name.lowercased().utf8 {
            switch byte {
            case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "_"): result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "~"):
                result += "\\" + String(Unicode.Scalar(byte))
            default: result += "%" + String(byte, radix: 16)
            }
        }
        return result
    }

    private static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
