#!/bin/sh
# Verifies a signature with BankID with openssl: `sh verify.sh` in the folder that has the files, or with its path.
# It needs openssl 3 and what every system has (POSIX); it changes nothing and contacts no server.
#
# What it cannot know is whether root.pem is BankID's: compare the fingerprint that it prints with the one that you have
# from BankID yourself.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C
key=$(mktemp)
trap 'rm -f "$key"' EXIT

fail() {
  echo "Does not hold: $1" >&2
  exit 1
}

# Without white space, which stands for nothing in these files.
packed() {
  tr -d ' \t\n' <"$1"
}

base64_of() {
  openssl base64 -A -in "$1"
}

digest_of() {
  openssl dgst -sha256 -binary "$1" | openssl base64 -A
}

contains() {
  case "$1" in
  *"$2"*) return 0 ;;
  *) return 1 ;;
  esac
}

# 1. The signature is one document with these parts, each of them as it was signed.
document=$(openssl base64 -d -A -in signature.base64)
parts="<SignatureValue>$(base64_of signature-value.bin)</SignatureValue>"
contains "$(printf %s "$document" | tr -d ' \t\n')" "$(packed signed-info.xml)$parts$(packed key-info.xml)<Object>$(packed signed-data.xml)</Object>" ||
  fail 'the parts are not those of the signature'
for part in signed-info.xml key-info.xml signed-data.xml; do
  contains "$document" "$(cat "$part")" || fail "$part is not in the signature"
done

# 2. The signed info has the digests of the two other parts.
algorithms='<Transforms><TransformAlgorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"></Transform></Transforms><DigestMethodAlgorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>'
for reference in '#bidSignedData signed-data.xml' '#bidKeyInfo key-info.xml'; do
  digest=$(digest_of "${reference#* }")
  contains "$(packed signed-info.xml)" "URI=\"${reference%% *}\">$algorithms<DigestValue>$digest</DigestValue></Reference>" ||
    fail "${reference#* } is not what was signed"
done

# 3. The certificates are those of the signature, the first one the signer's.
certificates=''
authorities=''
for certificate in certificate-*.pem; do
  openssl x509 -in "$certificate" | cmp -s - "$certificate" || fail "$certificate is not one certificate"
  der=$(openssl x509 -in "$certificate" -outform DER | openssl base64 -A)
  certificates="$certificates<X509Certificate>$der</X509Certificate>"
  [ "$certificate" = certificate-1.pem ] || authorities="$authorities -untrusted $certificate"
done
contains "$(packed key-info.xml)" "<X509Data>$certificates</X509Data>" ||
  fail 'the certificates are not those of the signature'

# 4. The signer's key made the signature value.
openssl x509 -in certificate-1.pem -noout -pubkey >"$key"
openssl dgst -sha256 -verify "$key" -signature signature-value.bin signed-info.xml >/dev/null ||
  fail 'the signature value is not that of the signed info'

# 5. What was signed is this text and the hash of this record.
contains "$(packed signed-data.xml)" ">$(base64_of visible-text.txt)</usrVisibleData>" || fail 'the text is another one'
contains "$(packed signed-data.xml)" "<usrNonVisibleData>$(digest_of record.json)</usrNonVisibleData>" ||
  fail 'the record is another one'
contains "$(packed signed-data.xml)" '<funcId>Signing</funcId>' || fail 'it was no signature, but a sign-in'

# 6. The OCSP response was made for this signature: its nonce begins with the SHA-1 of the signature's base64.
hash=$(openssl dgst -sha1 -r signature.base64 | cut -c1-40)
od -An -v -tx1 ocsp-response.der | tr -d ' \n' | grep -Eq "06092b0601050507300102(0101ff)?04(20|220420)$hash" ||
  fail 'the OCSP response was made for another signature'

# 7. When it was made is when the certificates must have been valid, in seconds since 1970.
inner=$(openssl asn1parse -inform DER -in ocsp-response.der | awk -F: '/OCTET STRING/ { print $1 + 0; exit }')
made=$(openssl asn1parse -inform DER -in ocsp-response.der -strparse "$inner" | sed -n 's/.*GENERALIZEDTIME *:\([0-9]\{14\}\)Z$/\1/p' | head -n 1)
[ -n "$made" ] || fail 'the OCSP response says no time'
# shellcheck disable=SC2046 # six words
set -- $(echo "$made" | sed 's/\(....\)\(..\)\(..\)\(..\)\(..\)\(..\)/\1 1\2 1\3 1\4 1\5 1\6/')
early=$(((14 - ($2 - 100)) / 12))
year=$(($1 + 4800 - early))
month=$(($2 - 100 + 12 * early - 3))
day=$(($3 - 100 + (153 * month + 2) / 5 + 365 * year + year / 4 - year / 100 + year / 400 - 32045 - 2440588))
at=$((day * 86400 + ($4 - 100) * 3600 + ($5 - 100) * 60 + $6 - 100))

# 8. The certificates lead to the root, then.
openssl x509 -in root.pem | cmp -s - root.pem || fail 'root.pem is not one certificate'
issuer=root.pem
[ ! -f certificate-2.pem ] || issuer=certificate-2.pem
# shellcheck disable=SC2086 # several words
openssl verify -attime "$at" -CAfile root.pem -no-CApath -no-CAstore $authorities certificate-1.pem >/dev/null ||
  fail 'the certificates do not lead to the root'

# 9. The OCSP response was made by whom the issuer charged with that, and found the certificate good.
cat "$issuer" $(ls certificate-*.pem | grep -v certificate-1.pem) >"$key"
status=$(openssl ocsp -respin ocsp-response.der -no_nonce -issuer "$issuer" -cert certificate-1.pem -attime "$at" \
  -CAfile root.pem -no-CApath -no-CAstore -verify_other "$key" 2>&1) || fail "the OCSP response: $status"
contains "$status" 'Response verify OK' || fail 'the OCSP response is not signed by whom the issuer charged'
contains "$status" 'certificate-1.pem: good' || fail 'the certificate was not good'

echo "The signature holds."
echo "Signed by:  $(openssl x509 -in certificate-1.pem -noout -subject -nameopt RFC2253,-esc_msb,utf8 | sed 's/^subject=//')"
echo "Signed at:  $(echo "$made" | sed 's/\(....\)\(..\)\(..\)\(..\)\(..\)\(..\)/\1-\2-\3 \4:\5:\6/') UTC"
echo "Text:       visible-text.txt"
echo "Record:     record.json"
echo "Root:       $(openssl x509 -in root.pem -noout -fingerprint -sha256 | sed 's/.*=//')"
