import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createTelemetry } from './telemetry.ts'

/** `deploy/monitoring`, its page and the metrics of the service say the same. */

const root = join(import.meta.dirname, '../..', '..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: 'page' | 'ticket' }
  annotations: { summary: string; runbook_url: string }
}

interface Panel {
  title: string
  targets: { expr: string }[]
}

const { registry } = createTelemetry({ process: true })
afterAll(() => registry.clear())

/** Every series that is served, and the names of its own metrics. */
const series = new Set<string>()
let own: string[]
let rules: Rule[]
let panels: Panel[]
let page: string
beforeAll(async () => {
  const metrics = await registry.getMetricsAsJSON()
  own = metrics.map(({ name }) => name).filter((name) => !/^numera_(?:process|nodejs)_/.test(name))
  for (const { name, type } of metrics) {
    series.add(name)
    if (String(type) === 'histogram')
      for (const end of ['bucket', 'sum', 'count']) series.add(`${name}_${end}`)
  }
  rules = parse(await read('deploy/monitoring/alerts.yml')).groups.flatMap(
    (group: { rules: Rule[] }) => group.rules,
  )
  panels = JSON.parse(await read('deploy/monitoring/grafana-dashboard.json')).panels
  page = await read('docs/guides/operating.md')
})

const namesIn = (text: string): string[] => text.match(/\bnumera_\w+/g) ?? []
/** A histogram is read by its parts. */
const base = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, '')

test('every metric that an alert or the dashboard asks for is served', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(panels.length).toBeGreaterThan(10)
  const unknown = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ].flatMap(([place, expr]) =>
    namesIn(expr)
      .filter((name) => !series.has(name))
      .map((name) => `${place}: ${name}`),
  )
  expect(unknown).toEqual([])
})

test('every metric of the service is on the dashboard and in docs/guides/operating.md, and no other', () => {
  const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)))
  expect(own.filter((name) => !shown.some((each) => base(each) === name))).toEqual([])

  const [, table] = page.split('\n| metric | what it counts |\n')
  const rows = table!
    .split('\n\n', 1)[0]!
    .split('\n')
    .flatMap((row) => namesIn(row.split(' | ')[0]!))
  expect(rows.toSorted()).toEqual(own.toSorted())
})

test('every alert names a section of the page that says what to do', () => {
  const anchors = Array.from(page.matchAll(/^#{2,} (.+)$/gm), ([, heading]) =>
    heading!.toLowerCase().replaceAll(' ', '-'),
  )
  for (const { alert, annotations } of rules) {
    const [address, anchor] = annotations.runbook_url.split('#')
    expect([alert, address]).toEqual([alert, 'https://numera.example.com/docs/operating'])
    expect(anchors, alert).toContain(anchor)
  }
})

test('no page is raised by sign-ins that anyone can make fail, nor by a single one while the provider was unavailable', () => {
  const metric = 'numera_openid_connect_sign_ins_total'
  const waking = rules.filter(({ expr, labels }) => labels.severity === 'page' && expr.includes(metric))
  expect(waking.map(({ alert }) => alert)).toEqual([
    'NumeraOpenIdConnectUnavailable',
    'NumeraIdentityNotVerified',
  ])
  const selected = waking.flatMap(({ expr }) =>
    Array.from(expr.matchAll(new RegExp(`(unless )?${metric}(?:{outcome=~?"([^"]*)"})?`, 'g')), (found) =>
      found[1] === undefined ? (found[2] ?? 'all') : [],
    ).flat(),
  )
  expect([...new Set(selected.flatMap((outcomes) => outcomes.split('|')))].toSorted()).toEqual([
    'complete',
    'not_verified',
    'unavailable',
  ])
  expect(waking[0]!.expr).toMatch(/and sum\(increase\(\w+\{outcome="unavailable"\}\[10m\]\)\) > [1-9]/)
})
