"""The equivalent of `lectern extract --batch` with resiliparse: a line of JSON per page in, its main text out."""

import json
import sys

from resiliparse.extract.html2text import extract_plain_text

for line in sys.stdin.buffer:
    page = json.loads(line)
    text = extract_plain_text(page["html"], main_content=True)
    sys.stdout.write(json.dumps({"id": page["id"], "textContent": text}, ensure_ascii=False) + "\n")
