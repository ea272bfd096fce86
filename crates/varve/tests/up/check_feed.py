"""What RSS 2.0, RFC 4287 and the W3C's validator ask of a feed; prints the ids of its items, the latest first.

Reads the feed from standard input, by expat. The arguments are the Content-Type with which it came, and its address.
"""
import datetime
import email.utils
import re
import sys
import urllib.parse
import xml.etree.ElementTree as tree

ATOM, CONTENT = "{http://www.w3.org/2005/Atom}", "{http://purl.org/rss/1.0/modules/content/}"
kind, own = sys.argv[1:]
root = tree.fromstring(sys.stdin.buffer.read())


def one(node, name):
    found = node.findall(name)
    assert len(found) == 1, (name, len(found))
    return found[0]


def said(node, name):
    text = one(node, name).text
    assert text and text.strip(), name
    return text


def no_others(node, known):
    names = [child.tag for child in node]
    assert set(names) <= set(known), names


def link(text):
    parts = urllib.parse.urlsplit(text)
    assert parts.scheme in ("http", "https") and parts.netloc, text
    assert re.fullmatch(r"[!#-;=?-\[\]_a-z~%]+", text), text


def identifier(text):
    assert re.fullmatch(r"(urn:[a-z0-9][a-z0-9-]+:|https?://)[A-Za-z0-9:/?#@!$&'()*+,;=._~%-]+", text), text
    return text


def mail_date(text):
    date = email.utils.parsedate_to_datetime(text)
    assert text == email.utils.format_datetime(date, usegmt=True), text
    return date


def date(text):
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", text), text
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def check_rss():
    assert kind == "application/rss+xml; charset=utf-8" and root.attrib == {"version": "2.0"}
    no_others(root, ["channel"])
    channel = one(root, "channel")
    no_others(channel, ["title", "link", "description", "lastBuildDate", "generator", "item", ATOM + "link"])
    said(channel, "title"), said(channel, "description")
    link(said(channel, "link"))
    mail_date(said(channel, "lastBuildDate"))
    myself = one(channel, ATOM + "link").attrib
    assert myself == {"href": own, "rel": "self", "type": "application/rss+xml"}, myself
    for item in channel.findall("item"):
        no_others(item, ["title", "link", "guid", "pubDate", "description", CONTENT + "encoded"])
        said(item, "title"), said(item, "description")
        link(said(item, "link"))
        assert one(item, "guid").attrib == {"isPermaLink": "false"}
        yield mail_date(said(item, "pubDate")), identifier(said(item, "guid"))


def links(node):
    found = {}
    for each in node.findall(ATOM + "link"):
        link(each.get("href"))
        assert each.get("rel") not in found
        found[each.get("rel")] = each.get("href")
    return found


def check_atom():
    assert kind == "application/atom+xml; charset=utf-8" and root.tag == ATOM + "feed"
    names = ["id", "title", "updated", "link", "author", "generator", "entry"]
    no_others(root, [ATOM + name for name in names])
    identifier(said(root, ATOM + "id")), said(root, ATOM + "title")
    updated = date(said(root, ATOM + "updated"))
    said(one(root, ATOM + "author"), ATOM + "name")
    assert set(links(root)) == {"alternate", "self"} and links(root)["self"] == own
    for entry in root.findall(ATOM + "entry"):
        names = ["id", "title", "published", "updated", "link", "summary", "content"]
        no_others(entry, [ATOM + name for name in names])
        said(entry, ATOM + "title"), said(entry, ATOM + "summary")
        assert set(links(entry)) == {"alternate"}
        at = date(said(entry, ATOM + "updated"))
        assert date(said(entry, ATOM + "published")) <= at <= updated
        yield at, identifier(said(entry, ATOM + "id"))


items = list(check_rss() if root.tag == "rss" else check_atom())
times, ids = [at for at, _ in items], [name for _, name in items]
assert times == sorted(times, reverse=True), times
assert len(set(ids)) == len(ids), ids
for name in ids:
    print(name)
