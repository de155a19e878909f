import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { S3Error } from './s3-error.ts'

/** Amazon S3 API Reference, Authenticating Requests: Using the Authorization Header (AWS Signature Version 4). */

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** Required of each request where there is one. */
  sessionToken?: string | undefined
}

/** A request as it arrived. */
export interface SignedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

const skewMsMax = 15 * 60_000
const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/s3\/aws4_request, ?SignedHeaders=([a-z\d;-]+), ?Signature=([\da-f]{64})$/

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** UriEncode of the reference: everything but unreserved characters. */
function uriEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function toCanonicalRequest({ method, url, headers }: SignedRequest, signedHeaders: string): string {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const query = [...searchParams].map(([name, value]) => `${uriEncode(name)}=${uriEncode(value)}`).toSorted()
  const lines = signedHeaders.split(';').map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replaceAll(/ +/g, ' ')}\n`,
  )
  return [
    method,
    pathname
      .split('/')
      .map((name) => uriEncode(decodeURIComponent(name)))
      .join('/'),
    query.join('&'),
    lines.join(''),
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n')
}

/** @param scope `date/region/s3/aws4_request` */
export function calculateSignature(
  request: SignedRequest,
  signedHeaders: string,
  scope: string,
  secretAccessKey: string,
): string {
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    sha256(toCanonicalRequest(request, signedHeaders)),
  ].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secretAccessKey}`)
  return hmac(key, text).toString('hex')
}

function checkTime(date: string | undefined, day: string | undefined, nowMs: number): void {
  const [, year, month, dayOfMonth, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date ?? '') ?? []
  const ms = Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(ms) || !date!.startsWith(day!)) throw new S3Error(403, 'AccessDenied')
  if (Math.abs(nowMs - ms) > skewMsMax) throw new S3Error(403, 'RequestTimeTooSkewed')
}

/**
 * Every header of Amazon's, the host and the whole body are signed, with a current time, for this region.
 *
 * @throws S3Error
 */
export function checkSignature(
  request: SignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  region: string,
  nowMs: number,
): void {
  const { headers, body } = request
  if (headers.authorization === undefined) throw new S3Error(403, 'AccessDenied')
  const [, id, day, ofRegion, signedHeaders, signature] =
    authorizationPattern.exec(headers.authorization) ?? []
  if (signedHeaders === undefined || ofRegion !== region)
    throw new S3Error(400, 'AuthorizationHeaderMalformed')
  if (id !== accessKeyId) throw new S3Error(403, 'InvalidAccessKeyId')
  if (headers['x-amz-security-token'] !== sessionToken) throw new S3Error(400, 'InvalidToken')
  checkTime(headers['x-amz-date'] as string | undefined, day, nowMs)
  const names = signedHeaders.split(';')
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (!needed.every((name) => names.includes(name)) || names.join() !== names.toSorted().join()) {
    throw new S3Error(403, 'AccessDenied')
  }
  const expected = calculateSignature(
    request,
    signedHeaders,
    `${day}/${region}/s3/aws4_request`,
    secretAccessKey,
  )
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature!))) {
    throw new S3Error(403, 'SignatureDoesNotMatch')
  }
  if (headers['x-amz-content-sha256'] !== sha256(body)) throw new S3Error(400, 'XAmzContentSHA256Mismatch')
}
