/** A company and its sources, named by the service on a demo deployment (`src/platform/web-app/document-facts.ts`). */
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

interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
}

/** How far back reads begin: short answers that still have a period of a monthly metric. */
const readDays = 31
const dayMs = 86_400_000

const content = document.querySelector<HTMLMetaElement>('meta[name="numera-reference-reads"]')?.content
const offered = content === undefined ? undefined : (JSON.parse(content) as Reads)

/** Whether the demo's company and sources can be filled in. */
export function isReadOffered(): boolean {
  return offered !== undefined
}

/** The name of one of the demo's sources; undefined for any other text. */
export function sourceName(id: string): string | undefined {
  return offered?.sources[id]
}

/** A value that is filled in; `isSent` checks the box that sends it. */
function example(value: string, isSent = false): object {
  return { default: { value, ...(isSent ? {} : { 'x-disabled': true }) } }
}

/** Current dates: the library marks empty ones as wrong, although they may be left out. Only `from` is sent. */
function fillInDates(parameter: Parameter): void {
  const now = Date.now()
  const day = (days: number): string => new Date(now + days * dayMs).toISOString().slice(0, 10)
  if (parameter.name === 'from') parameter.examples = example(day(-readDays), true)
  else if (parameter.schema['format'] === 'date') parameter.examples = example(day(1))
  else if (parameter.schema['format'] === 'date-time')
    parameter.examples = example(new Date(now).toISOString())
}

/** The demo's company and sources, by name, since an app's token may read several. */
function fillInReads(parameter: Parameter, { orgnr, sources }: Reads): void {
  const ids = Object.keys(sources)
  if (parameter.name === 'orgnr') parameter.examples = example(orgnr)
  if (parameter.name !== 'source_id' || ids.length === 0) return
  parameter.examples = example(ids[0]!)
  parameter.schema = { ...parameter.schema, enum: ids, 'x-enumDescriptions': sources }
}

/**
 * Fills in values of the API document that a reader would otherwise have to look up. A push names no source: the demo's
 * connection cannot push, and the reader's own is bound to its source.
 *
 * @param offersReads whether the filled-in credential, or an app, can read the demo's company and sources
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
