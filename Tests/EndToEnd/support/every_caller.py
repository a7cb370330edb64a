"""A check of schemathesis: each request it makes is sent again with the credentials of every other caller.

schemathesis loads this module by SCHEMATHESIS_HOOKS. Making a request takes it longer than sending it five times.
"""

import json
import os

import requests
import schemathesis

# The headers of each caller.
CALLERS = json.loads(os.environ["LECTERN_TEST_CALLERS"])

session = requests.Session()


@schemathesis.check
def no_caller_gets_a_server_error(context, response, case):
    for caller, headers in CALLERS.items():
        request = response.request.copy()
        request.headers.pop("Authorization", None)
        request.headers.update(headers)
        answer = session.send(request, timeout=60)
        assert answer.status_code < 500, f"{caller}: {answer.status_code} {answer.text[:500]}"
