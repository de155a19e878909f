"""A member of the demo's company at the pages of the service, and what every app does before it has an OAuth library."""

import sys
from urllib.parse import urlsplit

import requests

PERSON = {"personal_number": "191212121212", "name": "Tolvan Tolvansson"}
REDIRECT_URI = "http://127.0.0.1:1/callback"


def taken(answer, status=200):
    """The JSON of an answer of this status."""
    if answer.status_code != status:
        sys.exit(f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text}")
    return answer.json() if answer.content else None


def discover(base):
    """The metadata of the authorization server, found from a read that nothing opens."""
    challenge = requests.get(f"{base}/v1/samples").headers["WWW-Authenticate"]
    resource = taken(requests.get(challenge.split('resource_metadata="')[1].split('"')[0]))
    issuer = resource["authorization_servers"][0]
    server = taken(requests.get(f"{issuer}/.well-known/oauth-authorization-server"))
    assert server["issuer"] == issuer
    return server


def register(server, name):
    """Registers an app; its client id."""
    fields = {"client_name": name, "redirect_uris": [REDIRECT_URI]}
    return taken(requests.post(server["registration_endpoint"], json=fields), 201)["client_id"]


def allow(base, authorize_url):
    """The member opens the address, signs in, allows everything for every company and signs that; where to go then."""
    pages = requests.Session()
    pages.headers.update({"Origin": base, "Sec-Fetch-Site": "same-origin"})
    # The page itself is for people; what follows is what it calls.
    opened = pages.get(authorize_url, allow_redirects=False)
    assert opened.status_code == 200, opened.text
    assert opened.headers["Content-Type"].startswith("text/html")

    def post(path, body):
        return taken(pages.post(f"{base}{path}", json=body))

    def approve(order):
        answer = {"answer": "approve", **PERSON}
        taken(requests.post(f"{base}{urlsplit(order['presentation']['open_url']).path}", json=answer), 204)

    order = post("/console/sign-in", {})
    approve(order)
    assert post(f"/console/sign-in/{order['order_id']}/collect", {})["state"] == "complete"
    pages.headers["X-CSRF-Token"] = taken(pages.get(f"{base}/console/session"))["csrf_token"]

    query = {"query": urlsplit(authorize_url).query}
    shown = post("/console/authorize", query)
    assert shown["state"] == "consent", shown
    choice = {
        "permissions": [each["permission"] for each in shown["permissions"]],
        "companies": {"every": True},
    }
    order = post("/console/authorize/sign", {**query, **choice})
    approve(order)
    done = post(f"/console/authorize/sign/{order['order_id']}/collect", query)
    assert done["state"] == "complete", done
    return done["location"]


def check_samples(answer):
    """A year of the demo's web shop."""
    samples = taken(answer)["samples"]
    assert len(samples) > 300, len(samples)
    assert {sample["metric"] for sample in samples} == {"revenue", "active_users"}
    return len(samples)
