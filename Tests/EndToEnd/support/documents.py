"""Files that become documents, and uploads of them."""

import io
import zipfile
from urllib.parse import quote

from support.client import wait_until

# The trailer of a PDF that needs a password.
LOCK = f"/ID [<41> <41>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <{'41' * 32}> /U <{'41' * 32}> /P -4 >>"


def pdf(*pages, info="", trailer=""):
    """A PDF of pages, each given as lines from the top."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< {info} >>",
    ]
    kids = []
    for lines in pages:
        stream = "\n".join(f"BT /F1 12 Tf 1 0 0 1 72 {700 - 16 * n} Tm ({line}) Tj ET" for n, line in enumerate(lines))
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    # Without a cross-reference table: readers rebuild it.
    body = "".join(f"{n} 0 obj\n{one}\nendobj\n" for n, one in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer\n<< /Root 1 0 R /Info 4 0 R /Size {len(objects) + 1} {trailer} >>\nstartxref\n0\n%%EOF\n".encode()


CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def epub(chapters, title="A book", author="Ada Example", more=()):
    """An EPUB of chapters, which are bodies in XHTML, and more parts as pairs of name and content."""
    items = "".join(
        f'<item id="c{n}" href="text/c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:creator>{author}</dc:creator>'
        f"<dc:language>en</dc:language></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OEBPS/book.opf", package)
        for n, body in enumerate(chapters):
            page = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'
            archive.writestr(f"OEBPS/text/c{n}.xhtml", page)
        for name, content in more:
            archive.writestr(name, content)
    return file.getvalue()


def upload(user, name, content, headers=None, **parameters):
    """Sends a file to import."""
    query = "".join(f"&{key}={quote(value)}" for key, value in parameters.items())
    headers = user.headers if headers is None else headers
    headers = headers | {"Content-Type": "application/octet-stream"}
    return user.lectern.send("POST", f"/import/v1/files?name={quote(name)}{query}", headers, content)


def imported(user, id):
    """The row of an import."""
    return user.rest("GET", f"imports?id=eq.{id}").json()[0]


def finished(user, answer, seconds=150):
    """Waits until an accepted upload is read, and its links, too; returns the row of the import."""
    assert answer.status == 202, answer
    id = answer.json()["id"]
    return wait_until(lambda: (row := imported(user, id))["state"] not in ("reading", "waiting") and row, seconds)


def document(user, name, content):
    """The link of a file, once it is read."""
    row = finished(user, upload(user, name, content))
    assert row["imported"] == 1, row
    return user.link(row["link_id"])
