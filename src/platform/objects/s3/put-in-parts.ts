import { isChecksumOf, toParts } from './checksum.ts'
import type { S3Answer, S3Client, S3Request } from './s3-client.ts'
import { escapeXml, findText } from './xml.ts'

/** @returns its line in the list of parts */
async function putPart(
  client: S3Client,
  request: S3Request,
  part: Uint8Array,
  number: number,
): Promise<string> {
  const query = { ...request.query, partNumber: String(number) }
  const { headers } = await client.send({ ...request, method: 'PUT', query, body: part })
  const checksum = headers['x-amz-checksum-sha256']
  const ofPart = typeof checksum === 'string' ? `<ChecksumSHA256>${checksum}</ChecksumSHA256>` : ''
  return `<Part><ETag>${escapeXml(headers.etag ?? '')}</ETag>${ofPart}<PartNumber>${number}</PartNumber></Part>`
}

/**
 * Stores a content as several parts, which become an object together. Where that fails, what was sent of it is deleted.
 *
 * @param condition headers under which it may become an object
 * @returns the last answer: 200, 412 for a condition that does not hold, or 404 where an earlier try may have done it
 */
export async function putInParts(
  client: S3Client,
  key: string,
  content: Uint8Array,
  condition: Readonly<Record<string, string>> | undefined,
): Promise<S3Answer> {
  if (condition !== undefined) {
    // The store looks at it only at the end.
    const present = await client.send({ method: 'HEAD', key, accept: [404] })
    if (present.status === 200) return { ...present, status: 412, tries: 1 }
  }
  const headers = { 'x-amz-checksum-algorithm': 'SHA256' }
  const begun = await client.send({ method: 'POST', key, query: { uploads: '' }, headers })
  const query = { uploadId: findText(begun.body.toString('utf8'), 'UploadId') ?? '' }
  // An upload that remains all the same is for the bucket's lifecycle rule.
  const abort = (): Promise<unknown> =>
    client.send({ method: 'DELETE', key, query, accept: [204, 404] }).catch(() => undefined)
  try {
    const parts: string[] = []
    for (const [index, part] of toParts(content).entries()) {
      parts.push(await putPart(client, { method: 'PUT', key, query }, part, index + 1))
    }
    const list = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const complete: S3Request = { method: 'POST', key, query, body: Buffer.from(list), accept: [404, 412] }
    const answer = await client.send({ ...complete, headers: condition ?? {} })
    if (answer.status === 412) await abort()
    const checksum = findText(answer.body.toString('utf8'), 'ChecksumSHA256')
    if (answer.status === 200 && checksum !== undefined && !(await isChecksumOf(checksum, content))) {
      throw client.toError(complete, 'ContentMismatch')
    }
    return answer
  } catch (error) {
    await abort()
    throw error
  }
}
