/** A company and its sources, which the service names on a demo deployment (`src/http/document-facts.ts`). */
interface Reads {
  orgnr: string
  /** Names by id. */
  sources: Readonly<Record<string, string>>
}

interface Parameter {
  name: string
  in: string
  schema: Record<string, unknown>
  examples?: object
}

interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
}

const text = document.querySelector<HTMLMetaElement>('meta[name="numera-reference-reads"]')?.content
const offered = text === undefined ? undefined : (JSON.parse(text) as Reads)

/** Whether calls that name a company or a source have those of the demo filled in. */
export function isReadOffered(): boolean {
  return offered !== undefined
}

/** The name of a source that is offered, by its id; undefined for any other text. */
export function nameOfOffered(id: string): string | undefined {
  return offered?.sources[id]
}

/** An example is sent once somebody says so: the demo's credential needs neither company nor source. */
function example(value: string): object {
  return { default: { value, 'x-disabled': true } }
}

/**
 * The API document, in which calls that name a company or a source have those of the demo filled in, the sources
 * to be chosen by name: an app's token may read several, and nobody knows their ids by heart.
 */
export async function offerReads(answer: Response): Promise<Response> {
  if (offered === undefined || !answer.ok) return answer
  const { orgnr, sources } = offered
  const ids = Object.keys(sources)
  const api = (await answer.json()) as Document
  for (const { parameters = [] } of Object.values(api.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of parameters.filter((each) => each.in === 'query')) {
      if (parameter.name === 'orgnr') parameter.examples = example(orgnr)
      if (parameter.name !== 'source_id' || ids.length === 0) continue
      parameter.examples = example(ids[0]!)
      parameter.schema = { ...parameter.schema, enum: ids, 'x-enumDescriptions': sources }
    }
  }
  return Response.json(api)
}
