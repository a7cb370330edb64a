"""List and upsert of links, written by hand in Python with FastAPI and asyncpg, without an ORM.

It has the same optimizations as Lectern: verified tokens are cached, statements are prepared once per connection, no
statement runs between requests, and JSON passes through as bytes in both directions.
"""

import os
import time
from base64 import urlsafe_b64decode
from contextlib import asynccontextmanager

import asyncpg
import jwt
import orjson
from fastapi import FastAPI, HTTPException, Request, Response

from statements import IDENTITY_SQL, LIST_SQL, UPSERT_SQL

SECRET = os.environ["PEER_JWT_SECRET"]
STATEMENT_TIMEOUT = "4500"
# Connections per process, as many as Lectern has threads.
CONNECTIONS = int(os.environ["PEER_CONNECTIONS"])
COLUMNS = {"list", "raw_url", "status"}
NO_STORE = {"Cache-Control": "no-store"}


@asynccontextmanager
async def lifespan(app):
    async with asyncpg.create_pool(
        host=os.environ["PEER_DATABASE_SOCKET"], database="lectern", user="authenticator",
        password=os.environ["PEER_DATABASE_PASSWORD"], min_size=CONNECTIONS, max_size=CONNECTIONS,
        # Connections are never replaced or reset, because every setting is local to a transaction.
        max_queries=2**62, max_inactive_connection_lifetime=0, init=pass_bytes, reset=nothing,
    ) as pool:
        app.state.pool = pool
        yield


async def pass_bytes(connection):
    """Passes JSON in and out as the bytes on the wire."""
    for name, encode in (("text", str.encode), ("json", bytes)):
        await connection.set_type_codec(
            name, schema="pg_catalog", format="binary", encoder=encode, decoder=bytes)


async def nothing(connection):
    pass


app = FastAPI(lifespan=lifespan, openapi_url=None)


@app.get("/rest/v1/links")
async def links(request: Request) -> Response:
    row = await run(request, LIST_SQL, read_only="on")
    return Response(row[0], headers=NO_STORE, media_type="application/json")


@app.post("/rest/v1/links")
async def save(request: Request) -> Response:
    body = await request.body()
    try:
        link = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise HTTPException(400, "the body is not JSON") from None
    if not isinstance(link, dict) or link.keys() != COLUMNS:
        raise HTTPException(400, "expected an object of list, raw_url and status")
    row = await run(request, UPSERT_SQL, body, read_only="off")
    return Response(status_code=201 if row[3] else 200, headers=NO_STORE)


async def run(request, sql, *binds, read_only):
    """Runs one statement in a transaction with the caller's role and claims."""
    role, claims = caller(request)
    name = "peer " + request.headers.get("x-request-id", "")
    async with app.state.pool.acquire() as connection, connection.transaction():
        await connection.fetchrow(IDENTITY_SQL, role, claims, STATEMENT_TIMEOUT, name, read_only)
        return await connection.fetchrow(sql, *binds)


# By token: (expiry, role, claims as JSON text).
verified = {}


def caller(request):
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    known = verified.get(token)
    if known is None or known[0] <= time.time():
        known = verify(scheme, token)
        if len(verified) >= 1_000:
            verified.clear()
        verified[token] = known
    return known[1:]


def verify(scheme, token):
    try:
        if scheme != "Bearer":
            raise jwt.InvalidTokenError("expected a bearer token")
        claims = jwt.decode(token, SECRET, algorithms=["HS256"], options={"require": ["exp", "sub", "role"]})
    except jwt.InvalidTokenError as error:
        raise HTTPException(401, str(error)) from None
    payload = token.split(".")[1]
    return claims["exp"], claims["role"], urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode()
