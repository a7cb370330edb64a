#!/usr/bin/env python3
"""Makes the same books with ebooklib and Pillow: ARTICLES.json PICTURES_FOLDER OUTPUT_FOLDER."""

import io
import json
import sys
from pathlib import Path

from ebooklib import epub
from PIL import Image, ImageDraw


def jpeg(picture):
    output = io.BytesIO()
    picture.convert("RGB").save(output, "JPEG", quality=90)
    return output.getvalue()


def cover(title, picture):
    page = Image.new("RGB", (1_000, 1_400), "white")
    page.paste(picture.resize((1_000, 667)), (0, 0))
    ImageDraw.Draw(page).text((60, 760), title, fill="black", font_size=60)
    return jpeg(page)


def write(article, pictures, output):
    book = epub.EpubBook()
    book.set_identifier("urn:uuid:" + article["id"])
    book.set_title(article["title"])
    book.set_language("en")
    content = article["content"]
    for number, source in enumerate(article["pictures"]):
        with Image.open(pictures / f"{source}.webp") as picture:
            if number == 0:
                book.set_cover("images/cover.jpg", cover(article["title"], picture))
            name = f"images/image{number + 1}.jpg"
            book.add_item(epub.EpubImage(uid=f"image{number}", file_name=name, media_type="image/jpeg",
                                         content=jpeg(picture)))
        content = content.replace(f"https://bench.test/{source}.jpg", name)
    page = epub.EpubHtml(title=article["title"], file_name="index.xhtml", lang="en",
                         content=f"<h1>{article['title']}</h1>{content}")
    book.add_item(page)
    book.toc = [page]
    book.spine = ["nav", page]
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    epub.write_epub(output, book)


if __name__ == "__main__":
    articles, pictures, output = map(Path, sys.argv[1:])
    for article in json.loads(articles.read_text()):
        write(article, pictures, output / f"{article['id']}.epub")
