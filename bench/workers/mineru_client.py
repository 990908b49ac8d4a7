"""MinerU's own client over a list of pages: `python mineru_client.py`, requests and answers as lines of JSON.

`renders`: the pages of the file are rendered within the time, a window of 64 before any of its questions is sent, as MinerU does; else beforehand.
"""

import json
import logging
import resource
import sys
import time

import pypdfium2
from mineru_vl_utils import MinerUClient

WINDOW_PAGES = 64


def render(document, first, last, dpi=200):
    return [document[index].render(scale=dpi / 72).to_pil().convert("RGB") for index in range(first, last)]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def highest_mb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))


def run(request):
    client = MinerUClient(
        backend="http-client",
        server_url=request["url"],
        max_concurrency=request["slots"],
        use_tqdm=False,
    )
    document = pypdfium2.PdfDocument(request["file"])
    windows = [(first, min(first + WINDOW_PAGES, len(document))) for first in range(0, len(document), WINDOW_PAGES)]
    ready = None if request["renders"] else [render(document, *window) for window in windows]
    blocks = 0
    cpu, started = cpu_seconds(), time.perf_counter()
    for index, window in enumerate(windows):
        pages = render(document, *window) if ready is None else ready[index]
        blocks += sum(len(result) for result in client.batch_two_step_extract(pages))
    wall = time.perf_counter() - started
    return {"wallMs": 1000 * wall, "cpuMs": 1000 * (cpu_seconds() - cpu), "highestMb": highest_mb(), "blocks": blocks}


logging.disable(logging.INFO)
for line in sys.stdin:
    try:
        answer = run(json.loads(line))
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print("answer " + json.dumps(answer), flush=True)
