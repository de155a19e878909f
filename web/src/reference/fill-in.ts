/** A company and its sources, which the service names on a demo deployment (`src/http/document-facts.ts`). */
interface Reads {
  orgnr: string
  /** Names by id. */
  sources: Readonly<Record<string, string>>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Record<string, unknown>
  examples?: object
}

interface Operation {
  parameters?: Parameter[]
}

interface Document {
  paths: Record<string, Record<string, Operation>>
}

/** How far back a read begins as it is filled in: a short answer, with a period of a metric that counts by month. */
const readDays = 31
const dayMs = 86_400_000

const content = document.querySelector<HTMLMetaElement>('meta[name="numera-reference-reads"]')?.content
const offered = content === undefined ? undefined : (JSON.parse(content) as Reads)

/** Whether reads that name a company or a source can have those of the demo filled in. */
export function isReadOffered(): boolean {
  return offered !== undefined
}

/** The name of a source that is offered, by its id; undefined for any other text. */
export function nameOfOffered(id: string): string | undefined {
  return offered?.sources[id]
}

/** A value that is filled in; the box that sends it is ticked or not. */
function example(value: string, isSent = false): object {
  return { default: { value, ...(isSent ? {} : { 'x-disabled': true }) } }
}

/**
 * Dates as they would be typed now: an empty one is marked as wrong by the library, though it may be left out. Only `from` is
 * sent as filled in.
 */
function fillInDates(parameter: Parameter): void {
  const now = Date.now()
  const day = (days: number): string => new Date(now + days * dayMs).toISOString().slice(0, 10)
  if (parameter.name === 'from') parameter.examples = example(day(-readDays), true)
  else if (parameter.schema['format'] === 'date') parameter.examples = example(day(1))
  else if (parameter.schema['format'] === 'date-time')
    parameter.examples = example(new Date(now).toISOString())
}

/** The demo's company and its sources, by name: an app's token may read several. */
function fillInReads(parameter: Parameter, { orgnr, sources }: Reads): void {
  const ids = Object.keys(sources)
  if (parameter.name === 'orgnr') parameter.examples = example(orgnr)
  if (parameter.name !== 'source_id' || ids.length === 0) return
  parameter.examples = example(ids[0]!)
  parameter.schema = { ...parameter.schema, enum: ids, 'x-enumDescriptions': sources }
}

/**
 * The API document with values filled in that a reader would otherwise have to find out. A push names no source: the demo's
 * connection cannot push, and a connection of one's own is bound to its source.
 *
 * @param offersReads whether the demo's company and sources are what the filled-in credential, or an app, can read
 */
export async function fillIn(answer: Response, offersReads: boolean): Promise<Response> {
  if (!answer.ok) return answer
  const api = (await answer.json()) as Document
  for (const { get } of Object.values(api.paths)) {
    for (const parameter of get?.parameters ?? []) {
      if (parameter.in !== 'query' || parameter.required === true) continue
      fillInDates(parameter)
      if (offersReads && offered !== undefined) fillInReads(parameter, offered)
    }
  }
  return Response.json(api)
}
