"""The SQL of the two measured requests, for running it without Lectern.

Connection.assume in Sources/Postgres/Connection.swift and Sources/REST/Plan+SQL.swift generate this SQL; a change there
must be repeated here.
"""

# $1 role, $2 claims, $3 statement timeout in milliseconds, $4 application name, $5 on for a read. A write omits the
# last setting.
IDENTITY_SQL = """select set_config('request.jwt.claims', $2, true), set_config('role', $1, true),
 set_config('statement_timeout', $3::text, true), set_config('application_name', $4, true),
 set_config('transaction_read_only', $5, true)"""

# Both return the rows as JSON text, their number, the total number, the number of inserted rows, and a change marker.
LIST_SQL = """select '[' || coalesce(case when rest.total_bytes((octet_length(_row) + 1) * 439804672081) >= 0
 then string_agg(_row, ',') end, '') || ']', count(*), null::bigint, null::bigint,
 (select coalesce(sum(n), 0) from rest.changes where user_id = (select auth.uid()))
 from (select row_to_json(_page.*)::text as _row from (select "links".*
 from "public"."links" order by "links"."updated_at" desc, "links"."id" desc limit 50) as _page offset 0) as _rows"""
# $1 the body of the request.
UPSERT_SQL = """with _written as (insert into "public"."links" ("list", "raw_url", "status") select "_body"."list",
 "_body"."raw_url", "_body"."status" from json_populate_record(null::"public"."links", $1::json) as _body
 on conflict ("user_id", "raw_url") do update set "list" = "excluded"."list", "raw_url" = "excluded"."raw_url",
 "status" = "excluded"."status" returning "links".*, ("links"."xmax" = 0) as _inserted) select null::text, count(*),
 count(*), (select count(*) from _written where _inserted), nullif(current_setting('rest.superseded', true), '')
 from (select 1 from _written as "links") as _page"""
