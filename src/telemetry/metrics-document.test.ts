import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTelemetry } from './telemetry.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const namesOf = (options: { process?: boolean }): string[] =>
  createTelemetry(options)
    .registry.getMetricsAsArray()
    .map(({ name }) => name)

/** The metrics that a text speaks of: a histogram is read by its parts. */
const namesIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/\bnumera_\w+/g), ([name]) => name.replace(/_(?:bucket|sum|count)$/, '')))

test('docs/guides/operating.md names every metric of the service, and no other', async () => {
  const documented = namesIn(await read('docs/guides/operating.md'))
  expect(namesOf({}).filter((name) => !documented.has(name))).toEqual([])
  const known = new Set(namesOf({ process: true }))
  expect(Array.from(documented).filter((name) => !known.has(name))).toEqual([])
})

test('the dashboard and the alert rules ask for metrics that there are', async () => {
  const known = new Set(namesOf({ process: true }))
  const files = await readdir(join(root, 'deploy/monitoring'))
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    const asked = namesIn(await read(`deploy/monitoring/${file}`))
    expect(
      Array.from(asked).filter((name) => !known.has(name)),
      file,
    ).toEqual([])
  }
})
