"""Requests of the sign-in API, and the claims of its tokens."""

import base64
import json

VERSION = {"X-Supabase-Api-Version": "2024-01-01"}


def refresh(lectern, token):
    return lectern.auth("POST", "token?grant_type=refresh_token", {"refresh_token": token})


def log_in(user):
    answer = user.lectern.auth("POST", "token?grant_type=password", {"email": user.email, "password": user.password})
    assert answer.status == 200, answer
    return answer.json()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def payload(token):
    """The claims of a token, decoded as the existing clients do: padded, in the standard alphabet."""
    text = token.split(".")[1]
    return json.loads(base64.b64decode(text + "=" * (-len(text) % 4), validate=True))
