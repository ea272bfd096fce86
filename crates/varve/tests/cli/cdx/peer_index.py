"""Indexes archive files with cdxj-indexer or pywb, many in one run: starting Python takes longer than most files.

Standard input has a line for each: how, tab, path. Standard output has a JSON object for each: the CDXJ lines, and whether
the peer gave up, so that no more can be compared than it wrote.
"""

import io
import json
import logging
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from cdxj_indexer.main import CDXJIndexer
from pywb.indexer.cdxindexer import write_cdx_index

CDXJ_INDEXER = {
    "cdxj": {},
    "cdxj-all": {"records": "all"},
    "cdxj-post": {"post_append": True},
}
PYWB = {
    "pywb": {},
    "pywb-all-post": {"include_all": True, "append_post": True},
}


class Kept(io.StringIO):
    """Outlives the indexer that closes it."""

    def close(self):
        pass


def index(how, path):
    if how in CDXJ_INDEXER:
        kept = Kept()
        indexer = CDXJIndexer(kept, [path], **CDXJ_INDEXER[how])
        try:
            with open(path, "rb") as source:
                indexer.process_one(source, kept, path)
        except Exception as error:
            return kept.getvalue(), repr(error)
        return kept.getvalue(), None
    kept = io.BytesIO()
    name = path.rsplit("/", 1)[-1]
    try:
        with open(path, "rb") as source:
            write_cdx_index(kept, source, name, cdxj=True, **PYWB[how])
    except Exception as error:
        return kept.getvalue().decode("utf-8", "replace"), repr(error)
    return kept.getvalue().decode("utf-8", "replace"), None


for line in sys.stdin:
    how, path = line.rstrip("\n").split("\t", 1)
    text, error = index(how, path)
    print(json.dumps({"how": how, "path": path, "lines": text.splitlines(), "error": error}))
