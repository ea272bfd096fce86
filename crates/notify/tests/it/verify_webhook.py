# Whether a webhook is signed as Standard Webhooks has it (spec/standard-webhooks.md, "Verifying webhook authenticity"),
# written from that text alone with nothing but the standard library. Reads JSON: secret, now, headers and body; prints
# the event's type, or why it is not to be believed.
import base64, hashlib, hmac, json, sys


def verify(secret, now, headers, body):
    key = base64.b64decode(secret[len("whsec_"):], validate=True) if secret.startswith("whsec_") else secret.encode()
    name, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(now - int(sent)) > 300:
        return "it is too old or too new"
    wanted = hmac.new(key, b".".join([name.encode(), sent.encode(), body.encode()]), hashlib.sha256).digest()
    for one in headers["webhook-signature"].split(" "):
        version, _, given = one.partition(",")
        if version == "v1" and hmac.compare_digest(base64.b64decode(given, validate=True), wanted):
            event = json.loads(body)
            assert event["specversion"] == "1.0" and event["id"] == name, event
            return event["type"]
    return "no signature of it is ours"


given = json.load(sys.stdin)
print(verify(given["secret"], given["now"], given["headers"], given["body"]), end="")
