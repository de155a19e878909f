/**
 * The mistakes of a developer's first hour, and the answers, each of which names the mistake, its place and its correction.
 * `PRINT_MISTAKES=yes` prints them all as a table of Markdown.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FirstHour, type ErrorAnswer, startFirstHour } from './mistakes.ts'

let on: FirstHour
beforeAll(async () => {
  on = await startFirstHour()
})

/** The mistake; status, code and field of the answer; a part of its message; the call. One line each, unformatted. */
type Mistake = [name: string, answer: string, message: string, make: () => Promise<ErrorAnswer>]

const good = '{"idempotency_key":"order-1","shape_version":1,"payload":{"at":"2026-01-15","amount":"1"}}'
const withPart = (part: string, other: string): string => good.replace(part, other)
const withAmount = (amount: string): string => withPart('"1"}', `${amount}}`)
const octets = (...bytes: number[]): Uint8Array => Uint8Array.from([...bytes, 0x14, 0, 6, 0])
const large = 'x'.repeat(9 * 1024 * 1024)
const unknownId = '01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'
const body = '400 invalid_argument body'
const contentType = '400 invalid_argument Content-Type'

// oxfmt-ignore
const bodies: Mistake[] = [
  ['no body', body, 'The body is empty: send a JSON object', () => on.push('')],
  ['-d rows.json, without @', body, 'curl sends a file with --data-binary @', () => on.push('rows.json')],
  ['a comma after the last field', body, 'line 1, column 66): a comma stands before a closing bracket', () => on.push(withPart('"2026-01-15","amount":"1"}', '1,}'))],
  ['single quotes', body, 'double quotes', () => on.push(good.replaceAll('"', "'"))],
  ['typographic quotation marks', body, 'typographic quotation marks', () => on.push(good.replaceAll('"', '”'))],
  ['names without quotes', body, 'names stand in double quotes', () => on.push(withPart('"payload"', 'payload'))],
  ['a comment', body, 'JSON has no comments', () => on.push(withPart('1,', '1, // the first\n'))],
  ['NaN', body, 'finite numbers only', () => on.push(withAmount('NaN'))],
  ["Python's None", body, 'true, false, null', () => on.push(withAmount('None'))],
  ['a decimal comma in a number', body, 'decimals have a point, not a comma', () => on.push(withAmount('1249,50'))],
  ['a leading zero', body, 'a zero too many', () => on.push(withAmount('0150'))],
  ['a line break inside a text', body, '(line 1, column 88): write line breaks', () => on.push(withAmount('"1\n2"'))],
  ['quotes escaped once too often', body, 'a backslash stands where none may', () => on.push(good.replaceAll('"', '\\"'))],
  ['a missing comma, on the third line', body, 'line 3, column 1): a comma is missing', () => on.push(withPart('1,"payload"', '1\n\n"payload"'))],
  ['two deliveries in one body', body, 'a second value follows the first', () => on.push(`${good}\n${good}`)],
  ['a body that was cut off', body, 'it ends before it is complete', () => on.push(good.slice(0, -3))],
  ['a byte order mark', body, 'leave the byte order mark out', () => on.push(`\ufeff${good}`)],
  ['a key twice in an object', body, 'the same key twice', () => on.push(withAmount('"1","amount":"2"'))],
  ['UTF-16, as PowerShell writes', body, 'save it as UTF-8', () => on.push(Buffer.from(good, 'utf16le'))],
  ['Latin-1', body, 'not UTF-8 on line 1', () => on.push(Buffer.from(withAmount('"å"'), 'latin1'))],
  ['gzip without a word', body, 'send it uncompressed', () => on.push(octets(0x1f, 0x8b))],
  ['an Excel workbook as JSON', body, 'save the sheet as CSV UTF-8', () => on.push(octets(0x50, 0x4b, 3, 4))],
  ['gzip with Content-Encoding', '400 invalid_argument Content-Encoding', 'send the body uncompressed', () => on.push(good, { 'content-encoding': 'gzip' })],
  ['9 MiB', '413 invalid_argument body', 'split it, and give each part a key of its own', () => on.push(withAmount(`"${large}"`))],
  ['JSON encoded twice', body, 'a JSON object with idempotency_key', () => on.push(JSON.stringify(good))],
  ['the rows alone', body, 'a JSON object with idempotency_key', () => on.push([{ at: '2026-01-15' }])],
  ['idempotencyKey', '400 invalid_argument idempotency_key', 'idempotency_key is missing', () => on.push(withPart('idempotency_key', 'idempotencyKey'))],
  ['a number as key', '400 invalid_argument idempotency_key', 'put it in quotes', () => on.push(withPart('"order-1"', '1'))],
  ['an empty key', '400 invalid_argument idempotency_key', 'send the id of the event or batch', () => on.push(withPart('order-1', ''))],
  ['a key of 201 characters', '400 invalid_argument idempotency_key', 'longer than 200 characters', () => on.push(withPart('order-1', 'å'.repeat(201)))],
  ['a key that begins with service:', '400 invalid_argument idempotency_key', 'choose another beginning', () => on.push(withPart('order-1', 'service:1'))],
  ['no shape_version', '400 invalid_argument shape_version', 'shape_version is missing', () => on.push(withPart('"shape_version":1,', ''))],
  ['shape_version as text', '400 invalid_argument shape_version', 'is text: send a number, without quotes; the source has version 1 only', () => on.push(withPart(':1,', ':"1",'))],
  ['shape_version as text, in a large body', '400 invalid_argument shape_version', 'is text: send a number', () => on.push(withPart(':1,', ':"1",').replace('"1"}', `"${large.slice(0, 99_999)}"}`))],
  ['a shape_version that the source has not', '400 invalid_argument shape_version', 'the source, which has version 1 only', () => on.push(withPart(':1,', ':2,'))],
  ['rows in place of payload', '400 invalid_argument payload', 'payload is missing', () => on.push(withPart('payload', 'rows'))],
  ['payload as a text of JSON', '400 invalid_argument payload', 'send the object or list itself', () => on.push(withPart('{"at":"2026-01-15","amount":"1"}', '"{}"'))],
  ['payload as rows of lists', '400 invalid_argument payload', 'Item 1 of payload is not an object', () => on.push(withPart('{"at":"2026-01-15","amount":"1"}', '[[1]]'))],
  ['no Content-Type but that of curl -d', contentType, 'as curl -d does', () => on.push(good, { 'content-type': 'application/x-www-form-urlencoded' })],
  ['a form of several parts', contentType, 'send the document itself', () => on.push(good, { 'content-type': 'multipart/form-data; boundary=x' })],
  ['text/csv', contentType, 'pushed as application/octet-stream', () => on.push('at\n', { 'content-type': 'text/csv' })],
  ['text/plain', contentType, 'must be application/json', () => on.push(good, { 'content-type': 'text/plain' })],
  ['another charset', contentType, 'leave charset out', () => on.push(good, { 'content-type': 'application/json; charset=iso-8859-1' })],
  ['null', body, 'a JSON object with idempotency_key', () => on.push('null')],
  ['shape_version 0', '400 invalid_argument shape_version', 'has version 1 only', () => on.push(withPart(':1,', ':0,'))],
  ['payload as null', '400 invalid_argument payload', 'neither an object nor a list', () => on.push(withPart('{"at":"2026-01-15","amount":"1"}', 'null'))],
  ['another body under a used key', '409 key_reused', 'give another body another key', () => on.push(good).then(() => on.push(withAmount('"2"')))],
]

// oxfmt-ignore
const documents: Mistake[] = [
  ['no Idempotency-Key', '400 invalid_argument Idempotency-Key', 'Idempotency-Key is missing', () => on.push('at\n', { 'content-type': 'application/octet-stream' })],
  ['CSV with other names', body, "it has 'Datum', 'Belopp'; the source declares 'at', 'amount', 'country', 'customer'", () => on.pushDocument('Datum;Belopp\n2026-01-15;1\n')],
  ['CSV of 30 columns with long names', body, `${'n'.repeat(39)}…' and 20 more; the source`, () => on.pushDocument(`${Array(30).fill('n'.repeat(300)).join()}\n`)],
  ['columns separated by tabs', body, 'separate them with commas or semicolons', () => on.pushDocument('at\tamount\n2026-01-15\t1\n')],
  ['an Excel workbook', body, 'Excel workbook (.xlsx): save the sheet as CSV UTF-8', () => on.pushDocument(octets(0x50, 0x4b, 3, 4))],
  ['an old Excel workbook', body, 'Excel workbook (.xls): save the sheet as CSV UTF-8', () => on.pushDocument(octets(0xd0, 0xcf, 0x11, 0xe0))],
  ['a PDF', body, 'send the figures in it as CSV or JSON', () => on.pushDocument('%PDF-1.7\n')],
  ['CSV in Latin-1', body, 'not UTF-8 on line 2: save it as UTF-8, in Excel as CSV UTF-8', () => on.pushDocument(Buffer.from('at,country\n2026-01-15,Å\n', 'latin1'))],
  ['CSV in UTF-16', body, 'in Excel as CSV UTF-8', () => on.pushDocument(Buffer.from('\ufeffat,amount\n', 'utf16le'))],
  ['a quote never closed', body, 'a quote on line 2 that is never closed', () => on.pushDocument('at,country\n2026-01-15,"SE\n')],
  ['a column twice', body, 'the second time in column 2', () => on.pushDocument('at,at\n')],
  ['a version in the header that is none', '400 invalid_argument X-Service-Shape-Version', 'has version 1 only', () => on.pushDocument('at\n', { 'x-service-shape-version': 'v1' })],
]

const at = '2026-01-15'
// oxfmt-ignore
const rows: Mistake[] = [
  ['a decimal comma', '202 number_malformed amount', 'such as 1249.50', () => on.pushRow({ at, amount: '1249,50' })],
  ['a thousands separator', '202 number_malformed amount', 'such as 1249.50', () => on.pushRow({ at, amount: '1 249.50' })],
  ['a currency', '202 number_malformed amount', 'such as 1249.50', () => on.pushRow({ at, amount: '10 SEK' })],
  ['20261119', '202 timestamp_malformed at', 'such as 2026-01-15', () => on.pushRow({ at: '20261119' })],
  ['19/11/2026', '202 timestamp_malformed at', 'such as 2026-01-15', () => on.pushRow({ at: '19/11/2026' })],
  ['a time without offset', '202 timestamp_no_offset at', 'add Z', () => on.pushRow({ at: `${at}T12:00:00` })],
  ['30 February', '202 timestamp_no_such_day at', 'does not exist', () => on.pushRow({ at: '2026-02-30' })],
  ['seconds since 1970', '202 timestamp_malformed at', 'such as 2026-01-15', () => on.pushRow({ at: 1_768_471_200 })],
  ['no event time', '202 event_time_missing at', 'in every row', () => on.pushRow({ amount: '1' })],
  ['an object as a value', '202 value_not_plain country', 'one value in each field', () => on.pushRow({ at, country: { code: 'SE' } })],
]

const refused = '401 unauthenticated'
// oxfmt-ignore
const credentials: Mistake[] = [
  ['no credential', refused, 'in the Authorization header, after the word Bearer', () => on.send('/v1/samples')],
  ['a credential without Bearer', refused, 'The word Bearer is missing', () => on.authorized(on.credentials.both)],
  ['Bearer twice', refused, 'is there twice', () => on.authorized(`Bearer Bearer ${on.credentials.both}`)],
  ['an empty variable', refused, 'is probably empty', () => on.authorized('Bearer ')],
  ['$CREDENTIAL in single quotes', refused, 'inside double quotes only', () => on.authorized('Bearer $CREDENTIAL')],
  ['a credential in quotes', refused, 'send it without', () => on.authorized(`Bearer "${on.credentials.both}"`)],
  ['another scheme', refused, 'is not Bearer', () => on.authorized(`Token ${on.credentials.both}`)],
  ['HTTP Basic', refused, 'HTTP Basic opens /oauth/token only', () => on.authorized(`Basic ${btoa('a:b')}`)],
  ['a client secret', refused, 'This is a client secret: exchange it at /oauth/token', () => on.read('', on.client.secret)],
  ['a made-up client secret', refused, 'This is a client secret: exchange it at /oauth/token', () => on.read('', 'ncs_none')],
  ['a client id', refused, 'exchange a client id with its secret', () => on.read('', on.client.clientId)],
  ['a refresh token', refused, 'This is a refresh token', () => on.read('', 'nrt_none')],
  ['an authorization code', refused, 'This is an authorization code', () => on.read('', 'nac_none')],
  ['a signing secret', refused, 'This is the signing secret of a webhook source', () => on.read('', on.signingSecret)],
  ['a key of the old kind', refused, 'create a service connection', () => on.read('', 'nk_none')],
  ['a credential cut off', refused, 'unknown, revoked, expired or not signed', () => on.read('', on.credentials.both.slice(0, -1))],
  ['a connection not signed yet', refused, 'or not signed yet', () => on.read('', on.credentials.unsigned)],
  ['a credential in the query', '400 credential_in_url', 'send it in the Authorization header, and rotate it', () => on.read(`?access_token=${on.credentials.both}`)],
  ['a credential in the path', '400 credential_in_url', 'rotate it', () => on.send(`/v1/samples/${on.credentials.both}`)],
  ['a push with a reading connection', '403 permission_denied', 'lacks the permission sources.ingest', () => on.push(good, {}, on.credentials.reader)],
  ['a read with a pushing connection', '403 permission_denied', 'lacks the permission metrics.read', () => on.read('', on.credentials.pusher)],
  ['a push to a webhook source', '403 webhook_only', 'send them to /v1/webhooks/', () => on.push(good, {}, on.credentials.hooks)],
]

// oxfmt-ignore
const reads: Mistake[] = [
  ['from=20261119', '400 invalid_argument from', 'such as 2026-01-31', () => on.read('?from=20261119')],
  ['from=19/11/2026', '400 invalid_argument from', 'such as 2026-01-31', () => on.read('?from=19/11/2026')],
  ['to as a time', '400 invalid_argument to', 'is not a day', () => on.read('?to=2026-01-31T00:00:00Z')],
  ['30 February', '400 invalid_argument from', 'is not a day', () => on.read('?from=2026-02-30')],
  ['from=', '400 invalid_argument from', 'is not a day', () => on.read('?from=')],
  ['from as to', '400 invalid_argument from', 'the day after the last', () => on.read('?from=2026-01-02&to=2026-01-02')],
  ['from after to', '400 invalid_argument from', 'to, which is the day after the last', () => on.read('?from=2026-02-01&to=2026-01-01')],
  ['from twice', '400 invalid_argument from', 'more than once', () => on.read('?from=2026-01-01&from=2026-01-02')],
  ['as_of with a bare +', '400 invalid_argument as_of', 'write + as %2B', () => on.read('?as_of=2026-01-31T12:00:00+01:00')],
  ['as_of with a bare + and a space', '400 invalid_argument as_of', 'write + as %2B', () => on.read('?as_of=2026-01-31%2012:00+0100')],
  ['as_of without offset', '400 invalid_argument as_of', 'a time with an offset', () => on.read('?as_of=2026-01-31T12:00:00')],
  ['no source_id', '400 invalid_argument source_id', 'name one with source_id', () => on.read('', on.credentials.unbound)],
  ['a UUID in braces', '400 invalid_argument source_id', 'without braces or quotes', () => on.read(`?source_id={${on.sourceId}}`)],
  ["another connection's source", '404 not_found', 'source_id names no source', () => on.read(`?source_id=${unknownId}`)],
  ['an orgnr with a wrong digit', '400 invalid_argument orgnr', 'the last is a check digit', () => on.read('?orgnr=559999-0017')],
  ['an orgnr with a country code', '400 invalid_argument orgnr', 'ten digits such as', () => on.read('?orgnr=SE559999001601')],
  ["another company's orgnr", '404 not_found', 'orgnr names no company', () => on.read('?orgnr=556016-0680')],
  ['a label without label.', '400 invalid_argument country', 'a label is `label.country`', () => on.read('?country=SE')],
  ['a parameter misspelt', '400 invalid_argument form', 'the nearest one is `from`.', () => on.read('?form=2026-01-01')],
  ['a parameter of another API', '400 invalid_argument limit', 'known ones are `from`, `to`', () => on.read('?limit=10')],
  ['a metric misspelt', '400 invalid_argument metric', 'the nearest one is `revenue`.', () => on.read('?metric=revenu')],
  ['a label that the source has not', '400 invalid_argument label.land', 'is not a label of the source', () => on.read('?label.land=SE')],
  ['a trace without metric', '400 invalid_argument metric', 'metric is missing', () => on.send('/v1/samples/trace', { credential: on.credentials.both })],
  ['limit=all', '400 invalid_argument limit', 'a whole number from 1 to 200', () => on.send('/v1/sources?limit=all', { credential: on.credentials.both })],
  ['a made-up cursor', '400 invalid_argument cursor', 'send next_cursor as it came', () => on.send('/v1/sources?cursor=2', { credential: on.credentials.both })],
]

const get = (path: string) => () => on.send(path, { credential: on.credentials.both })
// oxfmt-ignore
const paths: Mistake[] = [
  ['/v1/sample', '404 not_found', 'no such address; the nearest one is /v1/samples.', get('/v1/sample')],
  ['/ingest', '404 not_found', 'the nearest one is /v1/ingest.', get('/ingest')],
  ['/api/v1/ingest', '404 not_found', 'the nearest one is /v1/ingest.', get('/api/v1/ingest')],
  ['a slash at the end', '404 not_found', 'the nearest one is /v1/samples.', get('/v1/samples/')],
  ['a slash too many', '404 not_found', 'the nearest one is /v1/samples.', get('//v1/samples')],
  ['capitals', '404 not_found', 'the nearest one is /v1/samples.', get('/V1/Samples')],
  ['/v1/token', '404 not_found', 'the nearest one is /oauth/token.', get('/v1/token')],
  ['/v1/delivery/{id}', '404 not_found', 'the nearest one is /v1/deliveries/{artifact_id}.', get(`/v1/delivery/${unknownId}`)],
  ['a path like no other', '404 not_found', '/openapi.json lists all of the API', get('/v1/quite-something-else')],
  ['an id that is none', '404 not_found', 'nothing of that id for this caller', get(`/v1/deliveries/${unknownId}`)],
  ['a webhook address without its source', '404 not_found', 'the nearest one is /v1/webhooks/{source_id}.', get('/v1/webhooks')],
  ['GET where POST belongs', '405 method_not_allowed', 'takes POST, not GET', get('/v1/ingest')],
  ['a path that is not encoded', '400 invalid_argument', 'percent-encode', get('/v1/%zz')],
]

const signature = '400 invalid_argument Service-Signature'
const nowSeconds = (): number => Math.floor(Date.now() / 1_000)
const nothing = 'compare the address, the secret and the exact bytes that were signed'
// oxfmt-ignore
const webhooks: Mistake[] = [
  ['no signature', refused, 'Service-Signature is missing', () => on.send(on.webhookAddress, { method: 'POST', body: '{}', credential: on.credentials.both })],
  ['sha256= before the digits', signature, 'leave the name of the hash out', () => on.deliver({ write: (_t, mac) => `sha256=${mac.toString('hex')}` })],
  ['capital digits', signature, 'write the digits in lower case', () => on.deliver({ write: (t, mac) => `t=${t},v1=${mac.toString('hex').toUpperCase()}` })],
  ['v1 before t', signature, 't stands before v1', () => on.deliver({ write: (t, mac) => `v1=${mac.toString('hex')},t=${t}` })],
  ['base64', signature, 'looks like base64', () => on.deliver({ write: (t, mac) => `t=${t},v1=${mac.toString('base64')}` })],
  ['a space after the comma', signature, 'a comma without space', () => on.deliver({ write: (t, mac) => `t=${t}, v1=${mac.toString('hex')}` })],
  ['the digits alone', signature, 't and its time are missing', () => on.deliver({ write: (_t, mac) => mac.toString('hex') })],
  ['milliseconds', signature, 'looks like milliseconds', () => on.deliver({ t: Date.now() })],
  ['a time of 10 minutes ago', signature, / 60\d seconds behind the service's clock, and may differ by 300/.source, () => on.deliver({ t: nowSeconds() - 601 })],
  ['a clock an hour ahead', signature, / 3(?:599|600|601) seconds ahead of the service's clock/.source, () => on.deliver({ t: nowSeconds() + 3_600 })],
  ['a body serialised again after signing', '404 not_found', nothing, () => on.deliver({ sent: '{"at": "2026-01-15"}' })],
  ['another secret', '404 not_found', nothing, () => on.deliver({ secret: 'nws_another' })],
  ['a secret without its prefix', '404 not_found', nothing, () => on.deliver({ secret: on.signingSecret.slice(4) })],
  ['a delivery id with a dot', '400 invalid_argument Service-Delivery-Id', 'letters, digits, dashes', () => on.deliver({ headers: { 'service-delivery-id': 'a.b' } })],
  ['a delivery id of 201 characters', '400 invalid_argument Service-Delivery-Id', '1 to 200', () => on.deliver({ headers: { 'service-delivery-id': 'a'.repeat(201) } })],
  ['a delivery id that begins with service:', '400 invalid_argument Service-Delivery-Id', 'choose another beginning', () => on.deliver({ headers: { 'service-delivery-id': 'service:a' } })],
  ['a version that the source has not', '400 invalid_argument X-Service-Shape-Version', 'has version 1 only', () => on.deliver({ headers: { 'x-service-shape-version': '2' } })],
  ['9 MiB', '413 too_large body', 'split it, and give each part a delivery id of its own', () => on.deliver({ body: large })],
  ['gzip', '415 unsupported_media_type Content-Encoding', 'send the body uncompressed', () => on.deliver({ headers: { 'content-encoding': 'gzip' } })],
  ['an empty delivery id', '400 invalid_argument Service-Delivery-Id', '1 to 200', () => on.deliver({ headers: { 'service-delivery-id': '' } })],
  ['text/plain', '415 unsupported_media_type Content-Type', 'must be application/json or text/csv', () => on.deliver({ headers: { 'content-type': 'text/plain' } })],
  ['broken JSON', body, 'it ends before it is complete', () => on.deliver({ body: '{"at":' })],
  ['a list of numbers', body, 'Item 1 of body is not an object', () => on.deliver({ body: '[1]' })],
  ['CSV without a header row', body, "it has '2026-01-15', '1'; the source declares 'at'", () => on.deliver({ body: '2026-01-15,1\n', headers: { 'content-type': 'text/csv' } })],
]

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
const asClient = () => basic(on.client.clientId, on.client.secret)
const grant = 'grant_type=client_credentials'
const codeForm = (rest: string): string =>
  `grant_type=authorization_code&client_id=${on.app.clientId}&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&${rest}`
const json = { 'content-type': 'application/json' }
// oxfmt-ignore
const tokens: Mistake[] = [
  ['JSON in place of a form', '400 invalid_request', 'not as JSON or in the address', () => on.token('{}', { ...json, ...asClient() })],
  ['parameters in the address', '400 invalid_request', 'not as JSON or in the address', () => on.send(`/oauth/token?${grant}`, { method: 'POST', headers: asClient() })],
  ['no grant_type', '400 invalid_request', 'grant_type is missing', () => on.token('', asClient())],
  ['an empty grant_type', '400 invalid_request', 'grant_type is missing', () => on.token('grant_type=', asClient())],
  ['grant_type misspelt', '400 unsupported_grant_type', 'grant_type must be authorization_code, refresh_token or client_credentials', () => on.token('grant_type=client_credential', asClient())],
  ['grant_type twice', '400 invalid_request', 'grant_type was given twice', () => on.token(`${grant}&${grant}`, asClient())],
  ['the secret in the form', '401 invalid_client', 'as HTTP Basic in the Authorization header, not in the body', () => on.token(`${grant}&client_id=${on.client.clientId}&client_secret=${on.client.secret}`)],
  ['the secret as Bearer', '401 invalid_client', 'must be HTTP Basic', () => on.token(grant, { authorization: `Bearer ${on.client.secret}` })],
  ['Basic that is not base64', '401 invalid_client', 'base64 of the client id, a colon', () => on.token(grant, { authorization: 'Basic a:b' })],
  ['id and secret swapped', '401 invalid_client', 'swap them', () => on.token(grant, basic(on.client.secret, on.client.clientId))],
  ['a static credential as secret', '401 invalid_client', 'is sent to /v1 as it is', () => on.token(grant, basic(on.client.clientId, on.credentials.both))],
  ['a wrong secret', '401 invalid_client', 'its credentials are not valid', () => on.token(grant, basic(on.client.clientId, 'ncs_wrong'))],
  ['a code without client_id', '401 invalid_client', 'client_id must be', () => on.token('grant_type=authorization_code&code=a')],
  ['an app that sends a secret', '401 invalid_client', 'An app has no secret', () => on.token(codeForm('client_secret=x'))],
  ['a code without code_verifier', '400 invalid_request', 'code_verifier is missing', () => on.token(codeForm('code=a'))],
  ['a short code_verifier', '400 invalid_request', '43 to 128', () => on.token(codeForm('code=a&code_verifier=short'))],
  ['a used or wrong code', '400 invalid_grant', 'used or expired, or redirect_uri or code_verifier', () => on.token(codeForm(`code=a&code_verifier=${'v'.repeat(43)}`))],
  ['a used refresh token', '400 invalid_grant', 'used or expired', () => on.token(`grant_type=refresh_token&client_id=${on.app.clientId}&refresh_token=nrt_x`)],
  ['revoking nothing', '400 invalid_request', 'token is missing', () => on.revoke(`client_id=${on.app.clientId}`)],
  ['revoking with JSON', '400 invalid_request', 'not as JSON', () => on.revoke('{}', json)],
  ['/oauth/tokens', '404 invalid_request', 'the nearest one is /oauth/token.', () => on.send('/oauth/tokens', { method: 'POST' })],
  ['GET /oauth/token', '405 invalid_request', 'takes POST, not GET', () => on.send('/oauth/token')],
]

const redirect = 'https://app.example/callback'
const named = { client_name: 'Ledger' }
// oxfmt-ignore
const apps: Mistake[] = [
  ['authorize without client_id', '400', 'app', () => on.authorize({ client_id: undefined })],
  ['redirect_uri with a slash at the end', '400', 'exactly', () => on.authorize({ redirect_uri: `${redirect}/` })],
  ['no code_challenge', '302 invalid_request', 'as PKCE has it', () => on.authorize({ code_challenge: undefined })],
  ['code_challenge_method=plain', '302 invalid_request', 'must be S256', () => on.authorize({ code_challenge_method: 'plain' })],
  ['the verifier as challenge, with padding', '302 invalid_request', '43 base64url characters', () => on.authorize({ code_challenge: `${'a'.repeat(43)}=` })],
  ['response_type=token', '302 unsupported_response_type', 'must be code', () => on.authorize({ response_type: 'token' })],
  ['scope=sources.ingest', '302 invalid_scope', 'company.read and metrics.read', () => on.authorize({ scope: 'sources.ingest' })],
  ['scopes with a comma', '302 invalid_scope', 'with a space between', () => on.authorize({ scope: 'company.read,metrics.read' })],
  ['a parameter twice', '302 invalid_request', 'state was given twice', () => on.authorize({}, '&state=b')],
  ['another resource', '302 invalid_target', 'leave it out for this service', () => on.authorize({ resource: 'https://api.example' })],
  ['companies that are none', '302 invalid_request', 'organisation numbers, with a space', () => on.authorize({ companies: 'Ekeby' })],
  ['registering with a form', '400 invalid_client_metadata', 'must be application/json', () => on.register('client_name=a', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['registering with broken JSON', '400 invalid_client_metadata', 'a comma stands before a closing bracket', () => on.register('{"client_name":"a",}')],
  ['no client_name', '400 invalid_client_metadata', 'client_name is missing', () => on.register({ redirect_uris: [redirect] })],
  ['redirect_uris as text', '400 invalid_redirect_uri', 'a list of one to 10 addresses, even for one', () => on.register({ ...named, redirect_uris: redirect })],
  ['an http address', '400 invalid_redirect_uri', 'redirect_uris[0] must be an https address', () => on.register({ ...named, redirect_uris: ['http://app.example/'] })],
  ['an address with #', '400 invalid_redirect_uri', 'may not have a fragment', () => on.register({ ...named, redirect_uris: [`${redirect}#x`] })],
  ['a client with a secret', '400 invalid_client_metadata', 'an app has no secret', () => on.register({ ...named, redirect_uris: [redirect], token_endpoint_auth_method: 'client_secret_basic' })],
  ['grant_types for a machine', '400 invalid_client_metadata', 'authorization_code and refresh_token', () => on.register({ ...named, redirect_uris: [redirect], grant_types: ['client_credentials'] })],
]

const groups = { bodies, documents, rows, credentials, reads, paths, webhooks, tokens, apps }
const table: string[] = []
const cell = (text: string): string => text.replaceAll('|', '\\|')

describe.each(Object.entries(groups))(
  'The answer to a mistake in %s says what, where and how to fix it',
  (group, mistakes) => {
    test.each(mistakes)('%s', async (name, answer, message, make) => {
      const given = await make()
      const [status, code, field] = answer.split(' ')
      table.push(
        `| ${group} | ${cell(name)} | ${answer.split(' ', 2).join(' ')} | ${field ?? ''} | ${cell(given.message)} |`,
      )
      expect({ ...given, message: '' }).toMatchObject({ status: Number(status), ...(code && { code }) })
      expect(given.field).toBe(field)
      expect(given.deviations).toEqual([])
      if (!given.message.includes(message)) expect(given.message).toMatch(new RegExp(message))
      // One plain sentence.
      expect(given.message).toMatch(/^[^\n]{10,1000}\.$/)
    })
  },
)

afterAll(async () => {
  if (process.env['PRINT_MISTAKES'] === 'yes') {
    process.stdout.write(
      `| in | mistake | answer | field | message |\n|---|---|---|---|---|\n${table.join('\n')}\n`,
    )
  }
  await on[Symbol.asyncDispose]()
})
