"""Measures one parser on lists of files: `python python_worker.py KIND`, requests and answers as lines of JSON."""

import json
import os
import resource
import shutil
import sys
import tempfile
import time


def kreuzberg():
    import kreuzberg as peer

    config = peer.ExtractionConfig(output_format="markdown")
    return lambda request: sum(len(peer.extract_file_sync(name, config=config).content) for name in request["files"])


def opendataloader():
    import opendataloader_pdf as peer

    def run(request):
        # One call for all files: the Java process starts once, as its manual advises.
        folder = tempfile.mkdtemp()
        try:
            peer.convert(request["files"], folder, format=["markdown", "json"], quiet=True, image_output="off")
            return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".md"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return run


def pymupdf4llm():
    import pymupdf4llm as peer

    return lambda request: sum(len(peer.to_markdown(name, use_ocr=False, show_progress=False)) for name in request["files"])


def rapidocr(use_classifier):
    """The models and thread count come with the first request; later ones reuse the sessions."""
    from rapidocr import LangRec, ModelType, OCRVersion, RapidOCR

    engines = {}

    def run(request):
        models = request["models"]
        key = json.dumps(models)
        if key not in engines:
            engines[key] = RapidOCR(
                params={
                    "Global.use_cls": use_classifier,
                    "Global.log_level": "error",
                    "EngineConfig.onnxruntime.intra_op_num_threads": request["threads"],
                    "Det.model_path": models["detector"],
                    "Det.ocr_version": OCRVersion.PPOCRV4,
                    "Det.model_type": ModelType.MOBILE,
                    "Rec.model_path": models["recognizer"],
                    "Rec.rec_keys_path": models["dictionary"],
                    "Rec.ocr_version": OCRVersion.PPOCRV4,
                    "Rec.model_type": ModelType.MOBILE,
                    "Rec.lang_type": LangRec.CH,
                }
            )
        return {name: "\n".join(engines[key](name).txts or ()) for name in request["files"]}

    return run


def cpu_seconds():
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main():
    kinds = {
        "kreuzberg": kreuzberg,
        "opendataloader-pdf": opendataloader,
        "pymupdf4llm": pymupdf4llm,
        "rapidocr": lambda: rapidocr(False),
        "rapidocr-with-classifier": lambda: rapidocr(True),
    }
    run = kinds[sys.argv[1]]()
    for line in sys.stdin:
        try:
            cpu, started = cpu_seconds(), time.perf_counter()
            found = run(json.loads(line))
            answer = {"wallMs": (time.perf_counter() - started) * 1000, "cpuMs": (cpu_seconds() - cpu) * 1000}
            answer |= {"texts": found} if isinstance(found, dict) else {"characters": found}
        except Exception as error:  # noqa: BLE001: whatever a peer throws is its answer
            answer = {"error": f"{type(error).__name__}: {error}"[:500]}
        print("answer " + json.dumps(answer), flush=True)


main()
