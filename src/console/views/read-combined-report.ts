import type { Period } from '../../formats/values/period.ts'
import { formatDay, lastPeriodDay, periods as allPeriods } from '../../formats/values/period.ts'
import type { Company } from '../../people/companies/company.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import type { Basis } from '../../platform/reads/read-on-basis.ts'
import { readDay, readWindow, windowDaysMax } from '../../platform/reads/read-window.ts'
import { toRenderedAnswer, type RenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { toBasis, type ReportContext } from '../reports/list-reports.ts'
import { findReportSource, toSubject } from '../reports/read-report.ts'
import {
  countPeriodsCut,
  readValues,
  reportCellsMax,
  vintageCellsMax,
  type ValuesSubject,
} from '../reports/read-values.ts'
import { describeMetric, getCombination, listGrains, openLabels } from '../reports/report-metric.ts'
import { daysYearBefore, formatRange, periodsFrom, type DayRange } from '../reports/report-periods.ts'
import { toLineValue, toTotal } from './combine-values.ts'
import { lineFault, listOperands, writeLine, writeOperand, type Line, type Operand } from './line-text.ts'

/** However many operands share the samples of a report, each may have this many. */
const operandCellsMin = 20_000

export interface CombinedRequest {
  lines: readonly Line[]
  grain?: Period | undefined
  from?: string | undefined
  to?: string | undefined
  yearBefore: boolean
  /** RFC 3339 in UTC. */
  asOf?: string | undefined
}

interface FoundOperand {
  subject: ValuesSubject
  sourceName: string
}

/** By {@link writeOperand}. */
type Found = ReadonlyMap<string, FoundOperand>

type Source = Awaited<ReturnType<typeof findReportSource>>

/** @throws 404 if the company has no such source, or the source no such metric */
async function findOperands(
  context: ReportContext,
  companyId: string,
  lines: readonly Line[],
): Promise<{ found: Found; sources: Source[] }> {
  const sources = new Map<string, Source>()
  const found = new Map<string, FoundOperand>()
  for (const operand of lines.flatMap(listOperands)) {
    const { sourceId, metric } = operand
    const source = sources.get(sourceId) ?? (await findReportSource(context, companyId, sourceId))
    sources.set(sourceId, source)
    const subject = toSubject(companyId, source, metric)
    found.set(writeOperand(operand), { subject, sourceName: source.name })
  }
  return { found, sources: [...sources.values()] }
}

function getMetric(found: Found, operand: Operand) {
  return found.get(writeOperand(operand))!.subject.metric
}

/** The unit of a sum. @throws 400 with field `line` if it cannot be added up */
function checkSum(found: Found, sum: readonly Operand[], index: number): string {
  const metrics = sum.map((operand) => getMetric(found, operand))
  const named = metrics.map((metric) => ({ metric, ...describeMetric(metric) }))
  const [first] = named
  for (const { metric, name, unit } of named) {
    if (unit !== first!.unit) {
      throw lineFault(index, `${first!.unit} and ${unit} cannot be added up.`)
    }
    if (sum.length > 1 && getCombination(metric) !== 'sum') {
      throw lineFault(index, `${name} is not a sum or a count, so it cannot be added to another metric.`)
    }
    if (getCombination(metric) === null && openLabels(metric, new Map()).length > 0) {
      throw lineFault(index, `${name} is counted by label there, and never added up.`)
    }
  }
  return first!.unit
}

/** @throws 400 with field `line` or `grain` */
function checkGrains(found: Found, wanted: Period | undefined): { grain: Period; grains: Period[] } {
  const listed = [...found.values()].map(({ subject }) => listGrains(subject.metric))
  const grains = allPeriods.filter((period) => listed.every((some) => some.includes(period)))
  if (grains.length === 0) {
    const own = new Set([...found.values()].map(({ subject }) => subject.metric.period))
    throw invalidArgument(
      `These metrics have no period in common: they are counted by ${[...own].join(' and by ')}.`,
      'line',
    )
  }
  const grain = wanted ?? grains.at(-1)!
  if (!grains.includes(grain)) {
    throw invalidArgument(`These metrics are read together by ${grains.join(', ')}.`, 'grain')
  }
  return { grain, grains }
}

/** A place has the answer only if it has every source's samples at their versions. */
function toBasisOfAll(companyId: string, sources: readonly Source[]): Basis {
  const bases = sources.map((source) => toBasis(companyId, source))
  return async (on) => {
    let found: Awaited<ReturnType<Basis>>
    for (const basis of bases) {
      found = await basis(on)
      if (found === undefined) return undefined
    }
    return found
  }
}

/**
 * The report of several metrics together as JSON: sums over sources, metrics side by side, and ratios. Cached until the
 * version of one of the sources' samples or the company's day changes.
 *
 * @throws 404 if the company has no such source, or the source no such metric; 400 with the field that is wrong
 */
export async function readCombinedReport(
  context: ReportContext,
  company: Pick<Company, 'companyId' | 'timeZone'>,
  request: CombinedRequest,
): Promise<RenderedAnswer> {
  const { companyId, timeZone } = company
  const { lines, yearBefore, asOf } = request
  const { found, sources } = await findOperands(context, companyId, lines)
  const units = lines.map(({ numerator, denominator }, index) => ({
    unit: checkSum(found, numerator, index),
    denominator_unit: denominator && checkSum(found, denominator, index),
  }))
  const { grain, grains } = checkGrains(found, request.grain)
  const today = companyDay(timeZone, context.clock.now())
  const window = readWindow(request.from, request.to, today)
  const plan = { lines, units, found, grain, grains, today, timeZone, window, yearBefore, asOf }
  const names = sources.map(({ name, projection_id: projectionId }) => [name, projectionId])
  const key = JSON.stringify([lines.map(writeLine), grain, window, today, yearBefore, asOf, names, timeZone])
  const version = sources.map((source) => source.samples_version).join(' ')
  return context.cache.get(key, version, async () =>
    toRenderedAnswer(
      await context.read(
        { companyId, basis: toBasisOfAll(companyId, sources), isSnapshot: true },
        async (on) => JSON.stringify(await readPlan(on, plan)),
      ),
    ),
  )
}

interface Plan extends Omit<CombinedRequest, 'from' | 'to'> {
  units: readonly { unit: string; denominator_unit: string | null }[]
  found: Found
  grain: Period
  grains: Period[]
  /** Counted from 1970-01-01. */
  today: number
  timeZone: string
  window: ReturnType<typeof readWindow>
}

type OptionalPeriods = readonly (DayRange | undefined)[]

/** How many of the oldest periods have more samples than are counted, in any operand. */
async function countCut(on: Queryable, { found, asOf }: Plan, periods: OptionalPeriods): Promise<number> {
  const all = (asOf === undefined ? reportCellsMax : vintageCellsMax) / found.size
  const cellsMax = Math.max(operandCellsMin, Math.floor(all))
  const existing = periods.filter((period) => period !== undefined)
  let most = 0
  for (const { subject } of found.values()) {
    most = Math.max(most, await countPeriodsCut(on, subject, existing, cellsMax))
  }
  // The first ones that do not exist, such as a leap day a year before, are cut with their neighbours.
  return most === 0 ? 0 : periods.indexOf(existing[most])
}

/** Each operand's figure of each period. */
async function readOperands(on: Queryable, { found, asOf }: Plan, periods: OptionalPeriods) {
  const values = new Map<string, (string | null)[]>()
  for (const [key, { subject }] of found) {
    const { totals } = await readValues(on, { ...subject, filter: new Map(), periods, asOf })
    values.set(key, JSON.parse(totals))
  }
  return values
}

/** The days that each period is compared with: of an unfinished one, as many as have passed. */
function listYearBefore(
  { found, grain, today, timeZone, asOf }: Plan,
  periods: readonly DayRange[],
): OptionalPeriods {
  const until = asOf === undefined ? today : Math.min(today, companyDay(timeZone, Date.parse(asOf)))
  const hasDays = [...found.values()].every(({ subject }) => subject.metric.period === 'day')
  return periods.map((period) => daysYearBefore(grain, period, until, hasDays))
}

async function readPlan(on: Queryable, plan: Plan): Promise<object> {
  const { grain, grains, today, window, yearBefore } = plan
  const all = periodsFrom(grain, readDay(window.from, 'from'), readDay(window.to, 'to') - 1)
  const cut = await countCut(on, plan, all)
  const periods = all.slice(cut)
  const before = yearBefore ? listYearBefore(plan, periods) : []
  const cutBefore = yearBefore ? await countCut(on, plan, before) : 0
  const beforeRead = before.map((period, place) => (place < cutBefore ? undefined : period))
  const values = await readOperands(on, plan, [...periods, ...beforeRead])
  return {
    grain,
    grains,
    today: formatDay(today),
    time_zone: plan.timeZone,
    window: {
      from: formatDay(periods[0]!.first),
      to: formatDay(Math.min(periods.at(-1)!.last + 1, lastPeriodDay)),
      max_days: windowDaysMax,
      narrowed: window.narrowed || cut > 0,
    },
    as_of: plan.asOf ?? null,
    periods: periods.map((period) => ({ ...formatRange(period), finished: period.last < today })),
    year_before_starts: yearBefore ? before.map((period) => (period ? formatDay(period.first) : null)) : null,
    lines: plan.lines.map((line, index) => toLineAnswer(plan, line, index, values, periods.length)),
    complete: cut === 0 && cutBefore === 0,
  }
}

function toLineAnswer(
  { found, units, yearBefore }: Plan,
  line: Line,
  index: number,
  values: ReadonlyMap<string, (string | null)[]>,
  count: number,
) {
  const valuesFrom = (first: number) =>
    Array.from({ length: count }, (_figure, place) =>
      toLineValue(line, (operand) => values.get(writeOperand(operand))![first + place] ?? null),
    )
  const describe = (operand: Operand) => {
    const { subject, sourceName } = found.get(writeOperand(operand))!
    const { metric } = subject.metric
    return { source_id: operand.sourceId, source_name: sourceName, metric, ...describeMetric(subject.metric) }
  }
  const own = valuesFrom(0)
  const adds = listOperands(line).every((operand) => getCombination(getMetric(found, operand)) === 'sum')
  return {
    line: writeLine(line),
    ...units[index],
    numerator: line.numerator.map(describe),
    denominator: line.denominator?.map(describe) ?? null,
    values: own,
    total: adds ? toTotal(line, own) : null,
    year_before: yearBefore ? valuesFrom(count) : null,
  }
}
