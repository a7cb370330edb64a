"""A mail server on loopback whose behaviour depends on the recipient's address."""

import asyncio
import email
import email.policy
import ssl
import subprocess
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from support.client import wait_until


class MailServer:
    """Accepts mails, except for addresses that begin with `refused`, `later` (451 twice) or `slow` (never responds)."""

    def __init__(self, port, **options):
        self.port, self.options = port, options
        self.received, self.asked = [], []
        self.lock = threading.Lock()
        self.controller = None

    def __enter__(self):
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, ready_timeout=60, **self.options)
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()

    async def handle_RCPT(self, server, session, envelope, address, options):
        with self.lock:
            self.asked.append((address, time.monotonic()))
            tries = sum(1 for asked, _ in self.asked if asked == address)
        if address.startswith("refused"):
            return "550 5.1.1 No such user here"
        if address.startswith("later") and tries < 3:
            return "451 4.7.1 Greylisted, come back later"
        if address.startswith("slow"):
            await asyncio.sleep(3600)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        # Once the response is sent. A server that is stopped before would get the mail again from its sender.
        asyncio.get_running_loop().call_soon(self._keep, (envelope, message, session.ssl is not None))
        return "250 Message accepted"

    def _keep(self, mail):
        with self.lock:
            self.received.append(mail)

    def tries(self, address):
        with self.lock:
            return [when for asked, when in self.asked if asked == address]

    def mails_to(self, address):
        with self.lock:
            return [mail for mail in self.received if mail[0].rcpt_tos == [address]]

    def mail_to(self, address, seconds=150):
        """The one mail to an address, once it has come."""
        [(_, message, _)] = wait_until(lambda: self.mails_to(address), seconds)
        return message


def self_signed(folder):
    """A self-signed certificate, as mail servers are installed with."""
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=mail.invalid",
            "-keyout",
            folder / "key.pem",
            "-out",
            folder / "certificate.pem",
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


def password_of(user, password):
    """An authenticator with one account."""

    def check(server, session, envelope, mechanism, data):
        # Not handled: the server sends the response itself.
        return AuthResult(handled=False, success=(data.login, data.password) == (user.encode(), password.encode()))

    return check
