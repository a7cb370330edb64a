import Postgres
import REST
import Testing

@Suite("REST / database errors")
struct DatabaseErrorTests {
    private func error(_ sqlState: String, _ message: String = "m", isAnonymous: Bool = false) -> DatabaseError {
        DatabaseError(.init(sqlState: sqlState, message: message, detail: "d", hint: "h"), isAnonymous: isAnonymous)
    }

    @Test(
        "the status is that of PostgREST",
        arguments: [
            ("23505", 409), ("23503", 409), ("23502", 400), ("25006", 405), ("42P01", 404), ("42883", 404),
            ("57014", 400),
            ("40001", 409), ("28000", 403), ("54000", 413), ("22P02", 400), ("P0001", 400), ("42501", 403),
        ])
    func statuses(sqlState: String, status: Int) {
        #expect(error(sqlState).status == status)
        #expect(error(sqlState).code == sqlState)
    }

    @Test(
        "an error of Lectern's functions has the status that its code names",
        arguments: [("LT400", 400), ("LT410", 410)])
    func ownErrors(sqlState: String, status: Int) {
        let error = error(sqlState, "the cursor is too old")
        #expect(error.status == status && error.code == sqlState && error.message == "the cursor is too old")
    }

    @Test("a text that fails a check is described by its column and limit, with PostgreSQL's code")
    func limits() {
        func message(_ sqlState: String, _ constraint: String? = nil, detail: String? = nil) -> String {
            DatabaseError(
                .init(sqlState: sqlState, message: "m", detail: detail, constraint: constraint), isAnonymous: false
            ).message
        }
        #expect(message("23514", "links_title_length") == "\"title\" must have at most 10,000 characters")
        #expect(message("23514", "links_list_check") == "m" && message("23514") == "m")
        let detail = "\\u0000 cannot be converted to text."
        #expect(message("22P05", detail: detail) == "Text must not contain a NUL character")
        #expect(message("22P05", detail: "d") == "m" && error("23514").code == "23514")
    }

    @Test("a missing privilege of an anonymous caller is 401")
    func anonymous() { #expect(error("42501", isAnonymous: true).status == 401) }

    @Test(
        "a view that PostgreSQL cannot write to is refused like one without a privilege",
        arguments: [
            ("55000", #"cannot insert into view "jobs""#), ("55000", #"cannot update view "jobs""#),
            ("55000", #"cannot delete from view "jobs""#), ("0A000", #"cannot update column "state" of view "jobs""#),
            ("0A000", #"cannot insert into column "state" of view "jobs""#),
        ])
    func readOnlyViews(sqlState: String, message: String) {
        let error = error(sqlState, message)
        #expect(error.status == 403 && error.code == "42501" && error.message == "permission denied for view jobs")
        #expect(error.details == nil && error.hint == nil)
        #expect(self.error(sqlState, message, isAnonymous: true).status == 401)
        #expect(self.error(sqlState).code == sqlState)
    }

    @Test("detail and hint are passed on")
    func texts() {
        let error = error("23505", "duplicate key")
        #expect(error.message == "duplicate key" && error.details == "d" && error.hint == "h")
    }

    @Test("violated preferences have PostgREST's codes")
    func preferences() {
        #expect(error("LR116").code == "PGRST116" && error("LR116").status == 406)
        #expect(error("LR116").details == "The result contains d rows")
        #expect(error("LR124").code == "PGRST124" && error("LR124").status == 400)
        #expect(error("22P02", "invalid input syntax for type json").code == "PGRST102")
    }

    @Test(
        "each error is caused by the request, a shortage or a fault",
        arguments: [
            ("22P02", DatabaseError.Cause.request), ("57014", .request), ("55P03", .shortage), ("53100", .shortage),
            ("08006", .shortage), ("57P01", .shortage),
            ("XX000", .fault), ("58030", .fault),
        ])
    func causes(sqlState: String, cause: DatabaseError.Cause) { #expect(DatabaseError.cause(of: sqlState) == cause) }
}
