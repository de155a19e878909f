/** What runs in the worker threads of `previews.ts`: reading an example; aggregating one, stored deliveries, or a push. */
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { DeclaredNames } from '../../engine/formats/declared-names.ts'
import { bodyBytesMax } from '../../engine/deliveries/intake/delivery.ts'
import { DeliveryError } from '../../engine/deliveries/intake/delivery-error.ts'
import { readDocument } from '../../engine/deliveries/intake/read-document.ts'
import { JsonError } from '../../formats/json/json-error.ts'
import { compilePlan, chooseEventTime } from '../../engine/parsing/plan/compile-plan.ts'
import { FormatError } from '../../formats/documents/format-error.ts'
import { aggregations } from '../../engine/aggregations/aggregations.ts'
import { checkDeclaration } from '../../engine/declarations/check-declaration.ts'
import type { Declaration, Shape } from '../../engine/declarations/declaration.ts'
import { TimeZone } from '../../formats/values/time-zone.ts'
import { ExampleInput, PreviewInput } from './contract.ts'
import { readExampleContent } from './example-content.ts'
import { previewDeliveries, type Preview, type PreviewedContent } from './preview-deliveries.ts'
import { decodeStored, previewAsIfSent } from './preview-as-if-sent.ts'
import { readExample, type ReadExample } from './read-example.ts'
import type { StoredForPreview } from './stored-for-preview.ts'

interface BodyTask {
  /** The JSON of the request as received. */
  body: Uint8Array
  timeZone: string
  nowMs: number
}

interface DeliveriesTask {
  /** A valid declaration. */
  declaration: Declaration
  /** The source's saved declaration, to compare one delivery with it as if it were sent again; otherwise null. */
  saved: Declaration | null
  stored: StoredForPreview
  timeZone: string
}

/** Where an example is broken, so that the page can describe it in the reader's language. */
interface BrokenPlace {
  /** The fault code of the format's reader: `open_quote`, `syntax`, … */
  fault: string
  /** From 1; null when unknown. */
  line: number | null
}

/** A refusal as data, because errors lose their class between threads. */
export interface Refused {
  refused: {
    code: 'invalid_argument' | 'too_large'
    message: string
    field: string
    details?: BrokenPlace
  }
}

class RefusedError extends Error {
  readonly refused: Refused['refused']

  constructor(
    message: string,
    field: string,
    more: Partial<Pick<Refused['refused'], 'code' | 'details'>> = {},
  ) {
    super(message)
    this.refused = { code: 'invalid_argument', message, field, ...more }
  }
}

function orRefused<Answer>(read: () => Answer): Answer | Refused {
  try {
    return read()
  } catch (error) {
    if (error instanceof RefusedError) return { refused: error.refused }
    throw error
  }
}

interface Checker<Input> {
  Check(value: unknown): value is Input
  Errors(value: unknown): { instancePath: string; message: string; params?: object }[]
}

const inputs = { example: Compile(ExampleInput), preview: Compile(PreviewInput) }

/** Parses a body and validates it against its schema, as the framework would on the main thread. */
function parseBody<Input>(body: Uint8Array, compiled: Checker<Input>): Input {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())
  } catch {
    throw new RefusedError('The body is not valid JSON.', 'body')
  }
  if (compiled.Check(value)) return value
  const [fault] = compiled.Errors(value)
  const params = (fault?.params ?? {}) as { requiredProperties?: string[]; additionalProperties?: string[] }
  const member = params.requiredProperties?.[0] ?? params.additionalProperties?.[0]
  const path = [...(fault?.instancePath ?? '').split('/').slice(1), ...(member === undefined ? [] : [member])]
  const message = `The body is not as described: ${fault?.message ?? 'it is wrong'}.`
  throw new RefusedError(message, toFieldName(path) ?? 'body')
}

/** A fault in the declaration has the same field name as when saving it. */
function toFieldName(path: readonly string[]): string | undefined {
  const named = path[0] === 'declaration' && path.length > 1 ? path.slice(1) : path
  return named.length === 0 ? undefined : named.join('.')
}

type Example = Static<typeof ExampleInput>

/** The bytes of the example, and the member that they come from. */
function decodeExample(
  { text, content_base64: base64 }: Example,
  prefix: string,
): { bytes: Uint8Array; field: string } {
  if ((text === undefined) === (base64 === undefined)) {
    throw new RefusedError('Either text or content_base64 is given.', `${prefix}text`)
  }
  const field = `${prefix}${text === undefined ? 'content_base64' : 'text'}`
  if (base64 !== undefined && !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    throw new RefusedError('It is not base64.', field)
  }
  const bytes = text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text)
  if (bytes.length > bodyBytesMax)
    throw new RefusedError('It is larger than 8 MiB.', field, { code: 'too_large' })
  if (bytes.length === 0) throw new RefusedError('It is empty.', field)
  return { bytes, field }
}

/** Proposes fields from an example; the body is an `ExampleInput`. */
export function example(task: BodyTask): { example: ReadExample } | Refused {
  return orRefused(() => ({ example: readExampleBody(task) }))
}

function readExampleBody({ body, timeZone, nowMs }: BodyTask): ReadExample {
  const input = parseBody<Static<typeof ExampleInput>>(body, inputs.example)
  const { bytes, field } = decodeExample(input, '')
  try {
    const options = { format: input.format ?? null, zone: new TimeZone(timeZone), at: new Date(nowMs) }
    return readExample(bytes, options)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const line = error instanceof JsonError ? lineAt(bytes, error.offset) : error.line
    throw new RefusedError(error.message, field, { details: { fault: error.fault, line } })
  }
}

const lineFeed = 0x0a

/** The offset does not account for a removed byte order mark or a changed encoding, so the line may be slightly off. */
function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(lineFeed); at >= 0 && at < offset; at = bytes.indexOf(lineFeed, at + 1)) line++
  return line
}

interface PreviewedDeclaration {
  declaration: Declaration
  /** Null when no example was given. */
  preview: Preview | null
  /** The delivery that was given. */
  artifactId: string | null
}

/** Previews a declaration with an example; the body is a `PreviewInput`. */
export function preview(task: BodyTask): PreviewedDeclaration | Refused {
  return orRefused(() => previewExample(task))
}

function previewExample({ body, timeZone, nowMs }: BodyTask): PreviewedDeclaration {
  const parsed = parseBody<Static<typeof PreviewInput>>(body, inputs.preview)
  const { declaration: input, example: given, artifact_id: artifactId = null } = parsed
  const declaration: Declaration = input
  const fault = checkDeclaration(declaration, declaration.metrics, aggregations)[0]
  if (fault !== undefined) throw new RefusedError(fault.message, fault.field)
  if (given === undefined || given === null) return { declaration, preview: null, artifactId }
  if (artifactId !== null) throw new RefusedError('Either an example or a delivery is given.', 'artifact_id')
  const { bytes } = decodeExample(given, 'example.')
  const zone = new TimeZone(timeZone)
  // A source that does not exist has no salt. A constant one would allow colliding values to be constructed.
  const plan = compilePlan(declaration, declaration.metrics, zone, randomBytes(16))
  const content = exampleAsStored(bytes, given, declaration)
  const about = { ...aboutExample, daysFrom: new Date(nowMs), personal: listPersonalFields(declaration) }
  const previewed: PreviewedContent = { ...about, ...content, plan }
  return { declaration, preview: previewDeliveries(declaration, [() => previewed], () => 0), artifactId }
}

const aboutExample = { artifactId: null, idempotencyKey: null, receivedAt: null, receiveNumber: 1 }

/** An example as it would be stored: without undeclared keys, or refused. */
function exampleAsStored(
  bytes: Uint8Array,
  { format }: Example,
  { fields }: Declaration,
): Pick<PreviewedContent, 'content' | 'format' | 'droppedKeys'> {
  try {
    const read = readExampleContent(bytes, format ?? null)
    const names = new DeclaredNames(fields.map(({ name }) => name))
    return readDocument(read.content, read.format, names)
  } catch (error) {
    if (!(error instanceof FormatError) && !(error instanceof DeliveryError)) throw error
    return { content: { refused: error.message }, format: format ?? 'json', droppedKeys: [] }
  }
}

function listPersonalFields(...shapes: Pick<Shape, 'fields'>[]): Set<string> {
  const personal = shapes.flatMap(({ fields }) => fields.filter((field) => field.personal))
  return new Set(personal.map(({ name }) => name))
}

/**
 * Previews a declaration with stored deliveries, as a rebuild would read them: each is validated against the version that
 * it was sent with, and counted by the declaration's metrics.
 */
export function storedDeliveries({ declaration, saved, stored, timeZone }: DeliveriesTask): Preview {
  const zone = new TimeZone(timeZone)
  if (saved !== null) return previewAsIfSent(declaration, saved, stored, zone)
  const plans = new Map(
    stored.shapes.map(({ shapeVersion, fields, event_time }) => {
      const own: Shape = { fields, event_time }
      const shape = { fields, event_time: chooseEventTime(own, declaration.event_time) }
      const plan = compilePlan(shape, declaration.metrics, zone, stored.salt)
      return [shapeVersion, { plan, personal: listPersonalFields(own, declaration) }]
    }),
  )
  const contents = stored.deliveries.map((delivery) => {
    return (): PreviewedContent => ({
      ...delivery,
      ...plans.get(delivery.shapeVersion)!,
      daysFrom: new Date(delivery.receivedAt),
      droppedKeys: [],
      content: decodeStored(delivery),
    })
  })
  const startedMs = performance.now()
  const previewed = previewDeliveries(declaration, contents, () => performance.now() - startedMs)
  return { ...previewed, complete: previewed.complete && stored.complete }
}

export { checkPush } from './check/check-thread.ts'
