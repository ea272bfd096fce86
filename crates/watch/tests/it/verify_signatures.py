# How many of these webhooks are signed as Standard Webhooks has it: lines of JSON with id, timestamp, signature and body (in base64).
import base64, hashlib, hmac, json, sys

key = base64.b64decode("dGlkZXMgYW5kIGxheWVycw==")
right = 0
for line in sys.stdin:
    sent = json.loads(line)
    signed = b".".join([sent["id"].encode(), sent["timestamp"].encode(), base64.b64decode(sent["body"])])
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    right += hmac.compare_digest("v1," + wanted, sent["signature"])
print(right, "right")
