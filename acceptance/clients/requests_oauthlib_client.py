"""The whole flow with requests-oauthlib, as Debian packages it: requests_oauthlib_client.py BASE-URL ORGNR SOURCE-ID"""

import base64
import hashlib
import os
import secrets
import sys

import requests_oauthlib
from oauthlib.oauth2 import InvalidGrantError
from requests_oauthlib import OAuth2Session

import member

# The service under test has no certificate.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

base, orgnr, source_id = sys.argv[1:]
server = member.discover(base)
client_id = member.register(server, "requests-oauthlib")
app = OAuth2Session(client_id, redirect_uri=member.REDIRECT_URI, scope=["company.read", "metrics.read"])

# This version leaves PKCE to the app.
verifier = secrets.token_urlsafe(48)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
address, _ = app.authorization_url(
    server["authorization_endpoint"], code_challenge=challenge, code_challenge_method="S256"
)
back = member.allow(base, address)
first = dict(
    app.fetch_token(
        server["token_endpoint"], authorization_response=back, code_verifier=verifier, include_client_id=True
    )
)
assert first["token_type"] == "Bearer" and first["scope"] == ["company.read", "metrics.read"], first


def read():
    return app.get(f"{base}/v1/samples", params={"orgnr": orgnr, "source_id": source_id})


count = member.check_samples(read())
second = app.refresh_token(server["token_endpoint"], client_id=client_id)
assert second["access_token"] != first["access_token"]
assert second["refresh_token"] != first["refresh_token"]
assert member.check_samples(read()) == count

# The session would send the token as a bearer beside it; the library makes the request, anything sends it.
url, headers, body = app._client.prepare_token_revocation_request(
    server["revocation_endpoint"], second["refresh_token"], client_id=client_id
)
revoked = member.requests.post(url, headers=headers, data=body)
assert revoked.status_code == 200 and revoked.content == b"", revoked.text
assert read().status_code == 401
try:
    app.refresh_token(server["token_endpoint"], client_id=client_id)
    sys.exit("a revoked refresh token was taken")
except InvalidGrantError:
    pass
print(f"requests-oauthlib {requests_oauthlib.__version__}: {count} samples, refreshed, read again and given back")
