"""What `lectern extract --batch` does, by resiliparse: the main text of each page, JSON in and out, a line each."""

import json
import sys

from resiliparse.extract.html2text import extract_plain_text

for line in sys.stdin.buffer:
    page = json.loads(line)
    text = extract_plain_text(page["html"], main_content=True)
    sys.stdout.write(json.dumps({"id": page["id"], "textContent": text}, ensure_ascii=False) + "\n")
