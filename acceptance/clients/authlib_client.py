"""The whole flow with Authlib, as Debian packages it: authlib_client.py BASE-URL ORGNR SOURCE-ID"""

import sys

import authlib
from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

import member

base, orgnr, source_id = sys.argv[1:]
server = member.discover(base)
app = OAuth2Session(
    member.register(server, "Authlib"),
    scope="company.read metrics.read",
    redirect_uri=member.REDIRECT_URI,
    code_challenge_method="S256",
    token_endpoint_auth_method="none",
    revocation_endpoint_auth_method="none",
)
verifier = generate_token(48)
address, state = app.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
back = member.allow(base, address)
first = dict(
    app.fetch_token(server["token_endpoint"], authorization_response=back, code_verifier=verifier, state=state)
)
assert first["token_type"] == "Bearer" and first["scope"] == "company.read metrics.read", first


def read():
    return app.get(f"{base}/v1/samples", params={"orgnr": orgnr, "source_id": source_id})


count = member.check_samples(read())
second = app.refresh_token(server["token_endpoint"])
assert second["access_token"] != first["access_token"]
assert second["refresh_token"] != first["refresh_token"]
assert member.check_samples(read()) == count

revoked = app.revoke_token(server["revocation_endpoint"], token=second["access_token"])
assert revoked.status_code == 200 and revoked.content == b"", revoked.text
assert read().status_code == 401
try:
    app.refresh_token(server["token_endpoint"])
    sys.exit("a revoked refresh token was taken")
except OAuthError as error:
    assert error.error == "invalid_grant", error
print(f"Authlib {authlib.__version__}: {count} samples, refreshed, read again and given back")
