import type { FastifyRequest } from 'fastify'
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import type { ReportContext } from '../console/reports/list-reports.ts'
import { queryInstant } from '../console/reports/report-query.ts'
import type { Context, DirectoryContext } from '../context.ts'
import { formatOrgnr } from '../formats/values/orgnr.ts'
import type { Admission, AdmittedCompany, AdmittedSource } from '../people/access/admission.ts'
import type { App } from '../platform/http/contract.ts'
import { ApiError } from '../platform/http/errors/errors.ts'

/** One call of a tool, in an admitted request. */
export interface ToolCall {
  app: App
  context: DirectoryContext
  request: FastifyRequest
  toReports: (at: Context) => ReportContext
}

export interface Tool {
  name: string
  title: string
  description: string
  input: TObject
  output: TObject
  /** @throws ApiError, which becomes the tool's error */
  run: (call: ToolCall, args: never) => Promise<object>
}

/** Keeps the types of the arguments and of the answer. */
export function defineTool<Input extends TObject, Output extends TObject>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: Input
    output: Output
    run: (call: ToolCall, args: Static<Input>) => Promise<Static<Output>>
  },
): Tool {
  return tool
}

/** An object without other members. */
export function closed<Properties extends TProperties>(properties: Properties, description?: string) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  })
}
export function text(description: string, maxLength = 200) {
  return Type.String({ maxLength, description })
}
export function orNull<Schema extends ReturnType<typeof text> | ReturnType<typeof flag>>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
export function flag(description: string) {
  return Type.Boolean({ description })
}

export const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description })

/** Arguments that several tools take. */
export const args = {
  orgnr: Type.Optional(
    text('Organisation number of the company, of list_companies. Needed where there are several.', 30),
  ),
  source_id: Type.Optional(text('The source, of list_sources. Needed where the company has several.', 36)),
  metric: text('Key of the metric, of list_sources.', 100),
  by: Type.Optional(
    Type.Enum(['day', 'week', 'month'], {
      description: 'Length of the periods, one of `readable_by` of the metric. Unset: its own.',
    }),
  ),
  from: day('First day, in the time zone of the company.'),
  to: day('The day after the last day.'),
  labels: Type.Optional(
    Type.Array(closed({ name: text('The label.'), value: text('Its value.') }), {
      maxItems: 20,
      description: 'Only these values of labels. A label may be given several times: either value counts.',
    }),
  ),
  as_of: Type.Optional(text('As known at this instant, RFC 3339 with an offset. Unset: as known now.', 40)),
  cursor: Type.Optional(text('`next_cursor` of the answer before.', 300)),
}

/** What every answer about a company has. */
export const answered = {
  orgnr: text('Organisation number of the company.'),
  company: text('Its name, as data.'),
  time_zone: text('IANA time zone of its days, weeks and months.'),
  as_of: text('The instant at which the figures were as they are here, RFC 3339.'),
  page: text('Address of the page that shows the same to members of the company.', 2_000),
}

export function toLabelFilter(
  labels: readonly { name: string; value: string }[] = [],
): Map<string, string[]> {
  const filter = new Map<string, string[]>()
  for (const { name, value } of labels) filter.set(name, [...(filter.get(name) ?? []), value])
  return filter
}

interface Named {
  orgnr?: string | undefined
  source_id?: string | undefined
}

export interface OpenCompany {
  admission: Admission
  company: AdmittedCompany
  at: Context
}

async function admit(call: ToolCall, { orgnr, source_id: sourceId }: Named, source: 'required' | 'none') {
  const requirement = { permission: 'metrics.read', source } as const
  const admission = await call.app.admitNamed(call.request, requirement, { orgnr, sourceId })
  const company = admission.company!
  return { admission, company, at: call.context.shards.get(company.shard) }
}

/** The company that the arguments name. @throws ApiError as `GET /v1/sources` does */
export function openCompany(call: ToolCall, named: Named): Promise<OpenCompany> {
  return admit(call, { orgnr: named.orgnr }, 'none')
}

/**
 * The source that the arguments name, for a read of its reports, which hold production samples.
 *
 * @throws ApiError as `GET /v1/samples` does; 403 for a sandbox connection
 */
export async function openReports(
  call: ToolCall,
  named: Named,
): Promise<OpenCompany & { source: AdmittedSource; reports: ReportContext }> {
  const opened = await admit(call, named, 'required')
  if (opened.admission.sandbox) {
    throw new ApiError(
      'permission_denied',
      'A sandbox connection reads test samples, with GET /v1/samples: use a production connection here.',
    )
  }
  return { ...opened, source: opened.admission.source!, reports: call.toReports(opened.at) }
}

/** `as_of` of the arguments as a statement parameter, and as the answer says it. @throws 400 with field `as_of` */
export function toAsOf({ context }: ToolCall, asOf: string | undefined) {
  const instant = asOf === undefined ? undefined : queryInstant({ as_of: asOf })
  return { asOf: instant, as_of: instant ?? new Date(context.clock.now()).toISOString() }
}

/** The fields of every answer about a company. `path` is the page's below the company's, with its parts percent-encoded. */
export function aboutCompany({ context }: ToolCall, { company }: OpenCompany, asOf: string, path: string) {
  return {
    orgnr: formatOrgnr(company.orgnr),
    company: company.name,
    time_zone: company.timeZone,
    as_of: asOf,
    page: `${context.config.baseUrl}/companies/${company.companyId}${path}`,
  }
}
