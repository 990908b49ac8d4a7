"""Pictures of pages for the OCR bench: `python prepare_scans.py REQUEST.json`.

The request lists `{ source, page, picture, dpi, truth }`: with `dpi` null a page is drawn at the resolution of the picture that fills it;
with `truth` set the page's text layer is written there.
"""

import json
import sys

import pymupdf


def native_dpi(page):
    widths = [info["width"] * 72 / max(1, info["bbox"][2] - info["bbox"][0]) for info in page.get_image_info()]
    return round(max(widths, default=200))


for item in json.load(open(sys.argv[1], encoding="utf-8")):
    with pymupdf.open(item["source"]) as document:
        page = document[item["page"]]
        page.get_pixmap(dpi=item["dpi"] or native_dpi(page), colorspace=pymupdf.csRGB).save(item["picture"])
        if item.get("truth"):
            with open(item["truth"], "w", encoding="utf-8") as out:
                out.write(page.get_text())
