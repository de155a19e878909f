import { randomUUID } from 'node:crypto'
import type { Bucket, BucketObject, NamedPart } from './bucket.ts'
import { S3Error } from './s3-error.ts'
import type { SignedRequest } from './signature.ts'

/** Amazon S3 API Reference: the operations on the objects of one bucket, by its path. Any other is `NotImplemented`. */

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer | string
}

const keyBytesMax = 1_024
const listParameters: ReadonlySet<string> = new Set(['list-type', 'prefix', 'continuation-token'])
const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function toXml(name: string, content: string, headers: Record<string, string> = {}): Answer {
  const body = `${xmlHead}<${name} ${namespace}>${content}</${name}>`
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body }
}

/** As Amazon's, an error tells the caller what it signed: no client may repeat that. */
export function toErrorAnswer({ status, code }: S3Error, { headers }: SignedRequest): Answer {
  const id = /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const body =
    `${xmlHead}<Error><Code>${code}</Code><Message>${code}: ${escape(id)}</Message>` +
    `<AWSAccessKeyId>${escape(id)}</AWSAccessKeyId><RequestId>${randomUUID()}</RequestId></Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body }
}

function readCondition({ headers }: SignedRequest): boolean {
  const condition = headers['if-none-match']
  if (condition !== undefined && condition !== '*') throw new S3Error(501, 'NotImplemented')
  return condition !== undefined
}

function readChecksum({ headers }: SignedRequest): string | undefined {
  return headers['x-amz-checksum-sha256'] as string | undefined
}

function readParts(xml: string): NamedPart[] {
  if (!/^<CompleteMultipartUpload[ >]/.test(xml)) throw new S3Error(400, 'MalformedXML')
  return [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => {
    const read = (name: string): string | undefined => new RegExp(`<${name}>(.*?)</${name}>`).exec(part)?.[1]
    return {
      number: Number(read('PartNumber')),
      etag: unescape(read('ETag') ?? ''),
      checksum: read('ChecksumSHA256'),
    }
  })
}

function getObject(object: BucketObject, { headers }: SignedRequest): Answer {
  const { content, etag, checksum, storedAt } = object
  const common = { etag, 'last-modified': storedAt.toUTCString(), 'accept-ranges': 'bytes' }
  if (headers.range === undefined) {
    const asked = headers['x-amz-checksum-mode'] === 'ENABLED' ? { 'x-amz-checksum-sha256': checksum } : {}
    return { status: 200, headers: { ...common, ...asked }, body: content }
  }
  const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range) ?? []
  if (from === undefined || Number(last) < Number(from)) throw new S3Error(400, 'InvalidArgument')
  if (Number(from) >= content.length) throw new S3Error(416, 'InvalidRange')
  const body = content.subarray(Number(from), Number(last) + 1)
  const span = `bytes ${from}-${Number(from) + body.length - 1}/${content.length}`
  return { status: 206, headers: { ...common, 'content-range': span }, body }
}

function list(bucket: Bucket, name: string, query: URLSearchParams): Answer {
  if (query.get('list-type') !== '2' || [...query.keys()].some((each) => !listParameters.has(each))) {
    throw new S3Error(501, 'NotImplemented')
  }
  const prefix = query.get('prefix') ?? ''
  const { entries, nextToken } = bucket.list(prefix, query.get('continuation-token') ?? undefined)
  const contents = entries.map(
    ([key, { content, etag, storedAt }]) =>
      `<Contents><Key>${escape(key)}</Key><LastModified>${storedAt.toISOString()}</LastModified>` +
      `<ETag>${escape(etag)}</ETag><Size>${content.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  )
  const next = nextToken === undefined ? '' : `<NextContinuationToken>${nextToken}</NextContinuationToken>`
  return toXml(
    'ListBucketResult',
    `<Name>${name}</Name><Prefix>${escape(prefix)}</Prefix><KeyCount>${entries.length}</KeyCount>` +
      `<IsTruncated>${nextToken !== undefined}</IsTruncated>${next}${contents.join('')}`,
  )
}

function upload(bucket: Bucket, key: string, query: URLSearchParams, request: SignedRequest): Answer {
  const { method, body, headers } = request
  const uploadId = query.get('uploadId')
  if (method === 'POST' && query.has('uploads')) {
    if (headers['x-amz-checksum-algorithm'] !== 'SHA256') throw new S3Error(501, 'NotImplemented')
    return toXml('InitiateMultipartUploadResult', `<UploadId>${bucket.beginUpload(key)}</UploadId>`)
  }
  if (uploadId === null) throw new S3Error(501, 'NotImplemented')
  if (method === 'PUT') {
    const number = Number(query.get('partNumber'))
    const { etag, checksum } = bucket.putPart(key, uploadId, number, body, readChecksum(request))
    return { status: 200, headers: { etag, 'x-amz-checksum-sha256': checksum }, body: '' }
  }
  if (method === 'POST') {
    const parts = readParts(body.toString('utf8'))
    const { etag, checksum } = bucket.completeUpload(key, uploadId, parts, readCondition(request))
    const content = `<ETag>${escape(etag)}</ETag><ChecksumSHA256>${checksum}</ChecksumSHA256>`
    return toXml('CompleteMultipartUploadResult', content)
  }
  if (method !== 'DELETE') throw new S3Error(501, 'NotImplemented')
  bucket.abortUpload(key, uploadId)
  return { status: 204, headers: {}, body: '' }
}

/** @throws S3Error */
export function answer(bucket: Bucket, name: string, request: SignedRequest): Answer {
  const { method, headers, body } = request
  const { pathname, searchParams: query } = new URL(request.url, 'http://host')
  const [, bucketName = '', encodedKey = ''] = /^\/([^/]+)\/?(.*)$/s.exec(pathname) ?? []
  const key = decodeURIComponent(encodedKey)
  if (bucketName !== name) throw new S3Error(404, 'NoSuchBucket')
  if (Buffer.byteLength(key) > keyBytesMax) throw new S3Error(400, 'KeyTooLongError')
  if (['PUT', 'POST'].includes(method) && headers['content-length'] === undefined) {
    throw new S3Error(411, 'MissingContentLength')
  }
  if (key === '') {
    if (method !== 'GET') throw new S3Error(501, 'NotImplemented')
    return list(bucket, name, query)
  }
  if (query.size > 0) return upload(bucket, key, query, request)
  switch (method) {
    case 'GET':
    case 'HEAD':
      return getObject(bucket.find(key), request)
    case 'PUT': {
      const { etag, checksum } = bucket.put(key, body, readChecksum(request), readCondition(request))
      return { status: 200, headers: { etag, 'x-amz-checksum-sha256': checksum }, body: '' }
    }
    case 'DELETE':
      bucket.objects.delete(key)
      return { status: 204, headers: {}, body: '' }
    default:
      throw new S3Error(405, 'MethodNotAllowed')
  }
}
