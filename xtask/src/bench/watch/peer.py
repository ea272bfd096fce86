# How many checks of unchanged pages changedetection.io makes in a minute, with its defaults: it is started on a folder of its own, given so many
# pages of a server, and asked to check all of them again, several times. Prints the best.
#
#   python peer.py PROGRAM FOLDER PORT-OF-THE-SERVER PAGES ROUNDS
import json, os, subprocess, sys, time, urllib.request

program, folder, server, pages, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
own = 5987
os.makedirs(folder, exist_ok=True)
environment = dict(os.environ, DISABLE_VERSION_CHECK="true", ALLOW_IANA_RESTRICTED_ADDRESSES="true")
log = open(os.path.join(folder, "log.txt"), "w")
peer = subprocess.Popen([program, "-d", folder, "-h", "127.0.0.1", "-p", str(own)], stdout=log, stderr=log, env=environment)


def call(method, path, body=None, kind="application/json"):
    headers = {"x-api-key": token, "content-type": kind}
    asked = urllib.request.Request(f"http://127.0.0.1:{own}/api/v1{path}", method=method, data=body, headers=headers)
    return urllib.request.urlopen(asked, timeout=60).read()


def until(is_done, patience=600):
    end = time.time() + patience
    while time.time() < end:
        try:
            found = is_done()
            if found:
                return found
        except (OSError, ValueError, KeyError):
            pass  # It is not ready, or changes what it lists just now.
        time.sleep(0.1)
    raise SystemExit("changedetection.io did not come to an end")


def checked(since):
    watches = json.loads(call("GET", "/watch"))
    return len(watches) >= pages and all((watch.get("last_checked") or 0) >= since for watch in watches.values())


try:
    settings = os.path.join(folder, "changedetection.json")
    token = until(lambda: json.load(open(settings))["settings"]["application"]["api_access_token"])
    until(lambda: call("GET", "/systeminfo"))
    for name in json.loads(call("GET", "/watch")):
        call("DELETE", f"/watch/{name}")
    urls = "\n".join(f"http://127.0.0.1:{server}/{number}" for number in range(pages))
    call("POST", "/import", urls.encode(), "text/plain")
    until(lambda: checked(1))
    best = 0.0
    for _ in range(rounds):
        time.sleep(2)  # It counts in whole seconds.
        began = time.time()
        call("GET", "/watch?recheck_all=1")
        until(lambda: checked(int(began)))
        best = max(best, pages / (time.time() - began) * 60)
    print(best)
finally:
    peer.terminate()
    peer.wait()
