import type { BackupCredentials, BackupPlace } from '../../config/config.ts'
import type { Secret } from '../../config/secret.ts'
import { checkKey, checkPrefix, checkRange, checkSize, isKey } from '../object-key.ts'
import { objectBytesMax, type ByteRange, type ObjectStore, type StoredObject } from '../object-store.ts'
import { isChecksumOf, partBytes } from './checksum.ts'
import { putInParts } from './put-in-parts.ts'
import { S3Client, type Patience, type S3Answer, type S3Request } from './s3-client.ts'
import { findElements, findText } from './xml.ts'

/** Pages of a list in a row without an object of ours: a store that never ends is no place for backups. */
const foreignPagesMax = 1_000

/** Whether the bytes are those that the store says they are, and those that were requested. */
async function isContent(
  { status, headers, body }: S3Answer,
  range: ByteRange | undefined,
): Promise<boolean> {
  const length = headers['content-length']
  if (length !== undefined && Number(length) !== body.byteLength) return false
  if (range === undefined) {
    const checksum = headers['x-amz-checksum-sha256']
    return typeof checksum !== 'string' || isChecksumOf(checksum, body)
  }
  const end = range.from + body.byteLength
  const [span, total] = headers['content-range']?.split('/') ?? []
  return (
    status === 206 &&
    span === `bytes ${range.from}-${end - 1}` &&
    (end === range.to || (end < range.to && total === String(end)))
  )
}

/** Objects in a bucket of Amazon S3, or of what speaks like it. */
export class S3Store implements ObjectStore, AsyncDisposable {
  readonly place: string
  readonly #client: S3Client
  /** Of all keys: empty, or with a slash at its end. */
  readonly #prefix: string

  constructor(
    settings: Extract<BackupPlace, { kind: 's3' }>,
    credentials: Secret<BackupCredentials>,
    patience?: Patience,
  ) {
    const { bucket, prefix } = settings
    this.place = `s3://${bucket}${prefix && `/${prefix}`}`
    this.#client = new S3Client(settings, credentials, patience)
    this.#prefix = prefix && `${prefix}/`
  }

  async put(
    key: string,
    content: Uint8Array,
    { ifAbsent = false }: { ifAbsent?: boolean } = {},
  ): Promise<'stored' | 'present'> {
    checkKey(key)
    checkSize(key, content.byteLength)
    const condition = ifAbsent ? { 'if-none-match': '*' } : undefined
    const request = { method: 'PUT', key: `${this.#prefix}${key}` } as const
    const answer =
      content.byteLength > partBytes
        ? await putInParts(this.#client, request.key, content, condition)
        : await this.#client.send({ ...request, headers: condition ?? {}, body: content, accept: [412] })
    if (answer.status === 200) return 'stored'
    // An earlier try may have stored it and lost its answer.
    if (answer.tries > 1 && (await this.get(key))?.equals(content) === true) return 'stored'
    if (answer.status === 412 && ifAbsent) return 'present'
    throw this.#client.toError(request, answer.code ?? `status ${answer.status}`)
  }

  async get(key: string, range?: ByteRange): Promise<Buffer | undefined> {
    checkKey(key)
    if (range !== undefined) checkRange(range)
    const request: S3Request = {
      method: 'GET',
      key: `${this.#prefix}${key}`,
      headers: range
        ? { range: `bytes=${range.from}-${range.to - 1}` }
        : { 'x-amz-checksum-mode': 'ENABLED' },
      bytesMax: range ? range.to - range.from : objectBytesMax,
      accept: range ? [206, 404, 416] : [404],
    }
    const answer = await this.#client.send(request)
    if (answer.status === 404) return undefined
    // The object ends before the range begins.
    if (answer.status === 416) return Buffer.alloc(0)
    if (!(await isContent(answer, range))) throw this.#client.toError(request, 'ContentMismatch')
    return answer.body
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    checkPrefix(prefix)
    const query = { 'list-type': '2', prefix: `${this.#prefix}${prefix}` }
    let request: S3Request | undefined = { method: 'GET', query }
    let foreignPages = 0
    let last = ''
    while (request !== undefined) {
      const xml = (await this.#client.send(request)).body.toString('utf8')
      const token = findText(xml, 'NextContinuationToken')
      const objects = findElements(xml, 'Contents').flatMap((object) => this.#readObject(object))
      foreignPages = objects.length === 0 ? foreignPages + 1 : 0
      for (const object of objects) {
        if (object.key <= last) throw this.#client.toError(request, 'MalformedAnswer')
        last = object.key
        if (object.key.startsWith(prefix)) yield object
      }
      const isTruncated = findText(xml, 'IsTruncated')
      const isWhole = isTruncated === 'false' || (isTruncated === 'true' && token !== undefined)
      if (!isWhole || foreignPages > foreignPagesMax) throw this.#client.toError(request, 'MalformedAnswer')
      request =
        isTruncated === 'true'
          ? { method: 'GET', query: { ...query, 'continuation-token': token! } }
          : undefined
    }
  }

  async delete(key: string): Promise<void> {
    checkKey(key)
    await this.#client.send({ method: 'DELETE', key: `${this.#prefix}${key}`, accept: [204, 404] })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]()
  }

  /** None where it is not ours. */
  #readObject(xml: string): StoredObject[] {
    const path = findText(xml, 'Key') ?? ''
    const key = path.slice(this.#prefix.length)
    const bytes = Number(findText(xml, 'Size') ?? Number.NaN)
    const storedAt = new Date(findText(xml, 'LastModified') ?? '')
    const isOurs = path.startsWith(this.#prefix) && isKey(key)
    return isOurs && Number.isSafeInteger(bytes) && !Number.isNaN(storedAt.getTime())
      ? [{ key, bytes, storedAt }]
      : []
  }
}
