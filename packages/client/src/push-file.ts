import { openParts } from './document-parts.ts'
import { NumeraError } from './errors.ts'
import { type FileInput, openDocument } from './files.ts'
import { checkKey, type KeyOptions, keyCharactersMax, InvalidKey, partKey } from './key.ts'
import type { Part } from './split.ts'
import type { Receipt } from './receipt.ts'
import { deliveryBytesMax } from './rows.ts'

export interface PushFileOptions extends KeyOptions {
  /**
   * Names the file: a file of one delivery has this key, a part of a larger one `<key>#<part>/<12 digits of the SHA-256 of the file>`. At most 200
   * printable ASCII characters, 180 for a file that is cut.
   */
  key: string
  /** The source's current version by default. */
  shapeVersion?: number
  /** The format that the source declares; by default found from the first bytes, as the service does. */
  format?: 'csv' | 'json' | 'json_lines' | 'sie'
  /** Lets a file of statements be cut. A later part replaces what an earlier one said about the same period. */
  allowSplit?: boolean
  /** Parts of a file of events that are sent at the same time, 1 by default. Each is up to 8 MiB of memory. */
  inFlight?: number
  sourceId?: string
  orgnr?: string
  signal?: AbortSignal
}

/** One part of a file, and how far the file is cut. */
export interface FilePart {
  key: string
  /** From 1. */
  part: number
  /** Rows of this part; undefined for SIE. */
  rows: number | undefined
  bytesSent: number
  bytesTotal: number
}

/** The receipt of a part, and how far the file is sent. */
export type PartReceipt = Receipt & FilePart

export interface FileSender<Answer = Receipt> {
  send(part: Part['bytes'], key: string): Promise<Answer>
  /** What the source delivers; undefined if the connection may not know. */
  findDelivers(): Promise<'events' | 'statements' | undefined>
  nowMs: number
}

/** Sends a file part by part. In memory are the parts in flight, and the next. */
export async function* sendParts<Answer extends object>(
  input: FileInput,
  options: PushFileOptions & { partBytesMax?: number },
  { send, findDelivers, nowMs }: FileSender<Answer>,
): AsyncGenerator<Answer & FilePart> {
  const { key, partBytesMax = deliveryBytesMax, signal } = options
  checkKey(key, nowMs, options)
  if (!((options.inFlight ?? 1) >= 1)) throw new RangeError('`inFlight` is 1 or more.')
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
    throw new InvalidKey('The key of a file travels in a header: use printable ASCII, as `keyFor` gives it.')
  }
  const document = await openDocument(input, signal)
  try {
    const { format, parts } = await openParts(document, partBytesMax, options.format)
    const isCut = document.size > partBytesMax
    if (isCut && partKey(key, 999_999, document.sha256).length > keyCharactersMax) {
      throw new InvalidKey('The key of a file that is cut into parts has at most 180 characters.')
    }
    if (isCut && !options.allowSplit) await requireEvents(findDelivers)
    let part = 0
    let bytesSent = 0
    const sendPart = async ({ bytes, rows }: Part): Promise<Answer & FilePart> => {
      part++
      const about = { key: isCut ? partKey(key, part, document.sha256) : key, part }
      bytesSent = Math.min(bytesSent + bytes.length, document.size)
      const progress = { bytesSent, bytesTotal: document.size }
      return {
        ...(await send(bytes, about.key)),
        ...about,
        rows: format === 'sie' ? undefined : rows,
        ...progress,
      }
    }
    // Parts that may be statements keep their order: the last one replaces those before.
    const inFlight = options.allowSplit ? 1 : (options.inFlight ?? 1)
    // The next part is written over the bytes of this one.
    const own = ({ bytes, rows }: Part): Part => ({ bytes: inFlight > 1 ? bytes.slice() : bytes, rows })
    yield* inTurn(parts, inFlight, (each) => sendPart(own(each)))
  } finally {
    await document.close()
  }
}

/** The results of `run` in the order of the items, up to `inFlight` at a time. Those that have begun end before an error is thrown. */
async function* inTurn<Item, Result>(
  items: AsyncIterable<Item>,
  inFlight: number,
  run: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  let broken: { error: unknown } | undefined
  try {
    try {
      for await (const item of items) {
        const result = run(item)
        result.catch(() => undefined)
        running.push(result)
        if (running.length >= inFlight) yield await running.shift()!
      }
    } catch (error) {
      broken = { error }
    }
    for (const result of await Promise.allSettled(running.splice(0))) {
      if (result.status === 'fulfilled') yield result.value
      else broken ??= { error: result.reason }
    }
    if (broken !== undefined) throw broken.error
  } finally {
    await Promise.allSettled(running)
  }
}

async function requireEvents(findDelivers: FileSender['findDelivers']): Promise<void> {
  const delivers = await findDelivers()
  if (delivers === 'events') return
  const why =
    delivers === 'statements'
      ? 'The source delivers statements, so a later part would replace what an earlier one said about the same period'
      : 'What the source delivers is not known, and in a source of statements a later part would replace an earlier one'
  throw new NumeraError(
    `The file has to be cut. ${why}. Send each period in a file of its own, or pass \`allowSplit: true\`.`,
  )
}
