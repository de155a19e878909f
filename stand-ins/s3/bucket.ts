import { createHash, randomUUID } from 'node:crypto'
import { S3Error } from './s3-error.ts'

export interface BucketObject {
  content: Buffer
  etag: string
  /** Of a multipart object: of its parts, with their number. */
  checksum: string
  storedAt: Date
  /** What it replaced. */
  previous: BucketObject | undefined
}

interface Part {
  content: Buffer
  etag: string
  checksum: string
}

interface Upload {
  key: string
  parts: Map<number, Part>
}

/** Where a complete upload names a part. */
export interface NamedPart {
  number: number
  etag: string
  checksum: string | undefined
}

export interface Page {
  entries: [key: string, object: BucketObject][]
  nextToken: string | undefined
}

const partBytesMin = 5 * 1_048_576
const partNumberMax = 10_000

function digest(algorithm: 'md5' | 'sha256', content: Buffer): Buffer {
  return createHash(algorithm).update(content).digest()
}

function toPart(content: Buffer, checksum: string | undefined): Part {
  const actual = digest('sha256', content).toString('base64')
  if (checksum !== undefined && checksum !== actual) throw new S3Error(400, 'BadDigest')
  return { content, etag: `"${digest('md5', content).toString('hex')}"`, checksum: actual }
}

/** Objects and unfinished uploads, in memory. */
export class Bucket {
  readonly objects = new Map<string, BucketObject>()
  readonly uploads = new Map<string, Upload>()
  readonly #pageKeysMax: number

  constructor(pageKeysMax = 1_000) {
    this.#pageKeysMax = pageKeysMax
  }

  /** @param isConditional `If-None-Match: *` */
  put(key: string, content: Buffer, checksum: string | undefined, isConditional: boolean): BucketObject {
    const part = toPart(content, checksum)
    this.#checkCondition(key, isConditional)
    return this.#store(key, part)
  }

  find(key: string): BucketObject {
    const object = this.objects.get(key)
    if (object === undefined) throw new S3Error(404, 'NoSuchKey')
    return object
  }

  beginUpload(key: string): string {
    const uploadId = randomUUID()
    this.uploads.set(uploadId, { key, parts: new Map() })
    return uploadId
  }

  putPart(
    key: string,
    uploadId: string,
    number: number,
    content: Buffer,
    checksum: string | undefined,
  ): Part {
    if (!(number >= 1 && number <= partNumberMax)) throw new S3Error(400, 'InvalidArgument')
    // The upload was begun with SHA-256.
    if (checksum === undefined) throw new S3Error(400, 'InvalidRequest')
    const part = toPart(content, checksum)
    this.#findUpload(key, uploadId).parts.set(number, part)
    return part
  }

  completeUpload(
    key: string,
    uploadId: string,
    named: readonly NamedPart[],
    isConditional: boolean,
  ): BucketObject {
    const upload = this.#findUpload(key, uploadId)
    if (named.length === 0) throw new S3Error(400, 'MalformedXML')
    if (named.some(({ number }, index) => index > 0 && number <= named[index - 1]!.number)) {
      throw new S3Error(400, 'InvalidPartOrder')
    }
    const parts = named.map(({ number, etag, checksum }, index) => {
      const part = upload.parts.get(number)
      if (part?.etag !== etag || part.checksum !== checksum) throw new S3Error(400, 'InvalidPart')
      const isLast = index === named.length - 1
      if (!isLast && part.content.length < partBytesMin) throw new S3Error(400, 'EntityTooSmall')
      return part
    })
    this.#checkCondition(key, isConditional)
    this.uploads.delete(uploadId)
    const join = (algorithm: 'md5' | 'sha256', of: (part: Part) => Buffer): Buffer =>
      digest(algorithm, Buffer.concat(parts.map(of)))
    return this.#store(key, {
      content: Buffer.concat(parts.map(({ content }) => content)),
      etag: `"${join('md5', ({ etag }) => Buffer.from(etag.slice(1, -1), 'hex')).toString('hex')}-${parts.length}"`,
      checksum: `${join('sha256', ({ checksum }) => Buffer.from(checksum, 'base64')).toString('base64')}-${parts.length}`,
    })
  }

  abortUpload(key: string, uploadId: string): void {
    this.#findUpload(key, uploadId)
    this.uploads.delete(uploadId)
  }

  /** @param token that of the previous page */
  list(prefix: string, token: string | undefined): Page {
    const keysMax = this.#pageKeysMax
    const after = token === undefined ? '' : Buffer.from(token, 'base64').toString('utf8')
    if (token !== undefined && !after.startsWith('after ')) throw new S3Error(400, 'InvalidArgument')
    const entries = [...this.objects]
      .filter(([key]) => key.startsWith(prefix) && key > after.slice('after '.length))
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const page = entries.slice(0, keysMax)
    const nextToken =
      entries.length > keysMax ? Buffer.from(`after ${page.at(-1)![0]}`).toString('base64') : undefined
    return { entries: page, nextToken }
  }

  #findUpload(key: string, uploadId: string): Upload {
    const upload = this.uploads.get(uploadId)
    if (upload?.key !== key) throw new S3Error(404, 'NoSuchUpload')
    return upload
  }

  #checkCondition(key: string, isConditional: boolean): void {
    if (isConditional && this.objects.has(key)) throw new S3Error(412, 'PreconditionFailed')
  }

  #store(key: string, part: Part): BucketObject {
    const replaced = this.objects.get(key)
    const object = {
      ...part,
      storedAt: new Date(),
      previous: replaced && { ...replaced, previous: undefined },
    }
    this.objects.set(key, object)
    return object
  }
}
