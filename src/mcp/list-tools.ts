import { Type } from 'typebox'
import { describeMetric, listGrains } from '../console/reports/report-metric.ts'
import { showDeclaredSource } from '../company/sources/show-declared-source.ts'
import { aggregations } from '../engine/aggregations/aggregations.ts'
import { listReadableSources } from '../engine/samples/list-readable-sources.ts'
import { formatOrgnr } from '../formats/values/orgnr.ts'
import { listCallableCompanies } from '../people/access/list-callable-companies.ts'
import {
  aboutCompany,
  answered,
  args,
  closed,
  defineTool,
  flag,
  openCompany,
  orNull,
  text,
  toAsOf,
} from './tool.ts'

/** Companies of one answer. */
const companiesMax = 200
/** Sources of one answer: each is looked up with its declaration. */
const sourcesMax = 10

export const listCompanies = defineTool({
  name: 'list_companies',
  title: 'List companies',
  description:
    'Companies whose numbers may be read here, with the organisation number by which other tools name them.',
  input: closed({}),
  output: closed({
    as_of: answered.as_of,
    page: answered.page,
    companies: Type.Array(
      closed({
        orgnr: answered.orgnr,
        name: answered.company,
        time_zone: answered.time_zone,
        page: answered.page,
      }),
    ),
    further: flag(`Whether there are more than ${companiesMax}; these are the first by number.`),
  }),
  run: async (call) => {
    const { app, context, request } = call
    const { baseUrl } = context.config
    // Apps need what `GET /v1/companies` needs; a service connection was signed for its companies by name.
    const permission = request.admission.kind === 'delegated' ? 'company.read' : 'metrics.read'
    const requirement = { permission, source: 'none', company: 'any' } as const
    const admission = await app.admitNamed(request, requirement, {})
    const { readPool: pool } = context
    const companies = await app.reads.limitOn(pool)(admission.connectionId, () =>
      listCallableCompanies({ pool }, admission),
    )
    return {
      as_of: toAsOf(call, undefined).as_of,
      page: `${baseUrl}/companies`,
      companies: companies.slice(0, companiesMax).map(({ companyId, orgnr, name, timeZone }) => ({
        orgnr: formatOrgnr(orgnr),
        name,
        time_zone: timeZone,
        page: `${baseUrl}/companies/${companyId}`,
      })),
      further: companies.length > companiesMax,
    }
  },
})

const metricSchema = closed({
  metric: text('Its key.'),
  name: text('Its name.'),
  unit: orNull(text('Its unit; null if it is not known.')),
  counts: text('How it counts its rows.', 500),
  field: orNull(text('The field that is counted; null if rows are.')),
  only_some_rows: flag('Whether filters of the declaration leave rows out.'),
  period: text('Its period.'),
  readable_by: Type.Array(Type.String(), { description: 'What `by` may be.' }),
  adds_up: flag('Whether values of several periods or labels may be added.'),
  labels: Type.Array(Type.String(), { description: 'Labels that it is split by.' }),
})

export const listSources = defineTool({
  name: 'list_sources',
  title: 'List sources',
  description:
    'Sources of a company: the fields that each takes, and its metrics, with how they count and by which periods and labels ' +
    `they are read. ${sourcesMax} at a time.`,
  input: closed({ orgnr: args.orgnr, cursor: args.cursor }),
  output: closed({
    ...answered,
    sources: Type.Array(
      closed({
        source_id: text('The source.'),
        name: text('Its name, as data.'),
        delivers: text(
          '`events`: deliveries add up. `statements`: the last delivery about a period replaces those before it.',
        ),
        paused: flag('Whether it accepts no deliveries.'),
        event_time: orNull(text('The field with the time of a row.')),
        fields: Type.Array(
          closed({
            name: text('The field, as data.'),
            type: text('How it is read.'),
            personal: flag('Whether it is about a person; then it is never shown.'),
          }),
        ),
        metrics: Type.Array(metricSchema),
        page: answered.page,
      }),
    ),
    next_cursor: orNull(text('Where the list continues; null at its end.')),
  }),
  run: async (call, { orgnr, cursor }) => {
    const opened = await openCompany(call, { orgnr })
    const { admission, at, company } = opened
    const { companyId } = company
    const named = { companyId, boundSourceId: admission.boundSourceId, pushOnly: false }
    const found = await call.app.reads.limitOn(at.readPool)(companyId, async () => {
      const page = await listReadableSources({ pool: at.readPool }, named, {
        limit: sourcesMax,
        ...(cursor === undefined ? {} : { cursor }),
      })
      const sources: NonNullable<Awaited<ReturnType<typeof showDeclaredSource>>>[] = []
      for (const { source_id: sourceId } of page.items) {
        const source = await showDeclaredSource(at, companyId, sourceId)
        if (source !== undefined) sources.push(source)
      }
      return { sources, nextCursor: page.nextCursor }
    })
    const about = aboutCompany(call, opened, toAsOf(call, undefined).as_of, '/sources')
    return {
      ...about,
      sources: found.sources.map((source) => ({
        source_id: source.source_id,
        name: source.name,
        delivers: source.delivers,
        paused: source.paused,
        event_time: source.event_time ?? null,
        fields: source.fields.map(({ name, type, personal }) => ({ name, type, personal })),
        metrics: source.metrics.map((metric) => ({
          metric: metric.metric,
          name: describeMetric(metric).name,
          unit: describeMetric(metric).unit || null,
          counts: aggregations[metric.aggregation].description,
          field: metric.field ?? null,
          only_some_rows: metric.filters.length > 0,
          period: metric.period,
          readable_by: listGrains(metric),
          adds_up: aggregations[metric.aggregation].combines === 'sum',
          labels: metric.group_by,
        })),
        page: `${about.page}/${source.source_id}`,
      })),
      next_cursor: found.nextCursor,
    }
  },
})
