import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInConsole } from '../../../../testing/in-process/console-client.ts'
import {
  byCountry,
  startReportScene,
  statements,
} from '../../../../testing/in-process/scenes/report-scene.ts'
import { seedScene } from '../../../../testing/in-process/scenes/scene.ts'
import { seedMember } from '../../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../../testing/in-process/store-delivery.ts'

const { app, context, database, worker, openShop, deliver } = await startReportScene()

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evidence-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const february = (amount: string, country = 'SE'): object => ({
  at: '2026-02-03',
  amount,
  country,
  customer: 'ada@example.se',
})
const query = '?period_start=2026-02-01&grain=month&label.country=SE'

/** A shop whose February was restated, and a developer of it. */
const openRestated = async () => {
  const shop = await openShop(statements)
  const first = await deliver(shop, [february('100.10'), february('0.05')], {
    receivedAt: '2026-03-01T06:00:00Z',
  })
  const second = await deliver(shop, [february('75.5')], { receivedAt: '2026-03-10T06:00:00Z' })
  const developer = await signInConsole(
    app,
    context,
    await seedMember(context, shop.companyId, { role: 'developer' }),
  )
  const evidence = `${shop.report}/evidence`
  return { ...shop, first, second, developer, evidence, file: `${evidence}/file.json` }
}

/** Runs the script on a bundle, as its reader does: its exit code and what it printed. */
const check = (bundle: string, ...originals: string[]): { code: number; printed: string } => {
  const path = join(folder, 'evidence.json')
  writeFileSync(path, bundle)
  try {
    const script = join(import.meta.dirname, '../../../../acceptance/check-evidence.mjs')
    return {
      code: 0,
      printed: execFileSync(process.execPath, [script, path, ...originals], { encoding: 'utf8' }),
    }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { code: status, printed: stdout }
  }
}

/** The bundle as it is sent, byte by byte. */
const download = async (shop: Awaited<ReturnType<typeof openRestated>>, more = ''): Promise<string> => {
  const { status, headers, body } = await shop.developer.get(`${shop.file}${query}${more}`)
  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe('attachment; filename="evidence-revenue-2026-02-01.json"')
  return `${JSON.stringify(body)}\n`
}

describe('evidence', () => {
  test('names the figure, its declaration and each delivery with what it gave and what replaced it', async () => {
    const shop = await openRestated()
    const { body } = await shop.developer.get(`${shop.evidence}${query}`)
    expect(body.content).toMatchObject({
      declaration: {
        delivers: 'statements',
        event_time: 'at',
        metric: { metric: 'revenue', field: 'amount' },
      },
      period: { grain: 'month', start: '2026-02-01', end: '2026-02-28' },
      labels: { country: ['SE'] },
      as_of: '2026-03-15T12:00:00.000Z',
      value: '75.5',
      unit: 'SEK',
      combines: 'sum',
      complete: true,
      unparsed: 0,
      deliveries: [
        {
          artifact_id: shop.first,
          value: '100.15',
          counts: null,
          superseded: true,
          superseded_by: [shop.second],
        },
        {
          artifact_id: shop.second,
          value: '75.5',
          counts: '75.5',
          step: '-24.65',
          superseded: false,
          superseded_by: [],
        },
      ],
    })
    expect(body.details.link).toContain(
      `${shop.sourceId}/revenue/evidence?trace=2026-02-01&grain=month&label.country=.SE`,
    )
  })

  test('is the same for the same instant after later deliveries and a new name, and its code differs with the figure', async () => {
    const shop = await openRestated()
    // Seconds before the second one.
    const then = '&as_of=2026-03-10T05:59:55Z'
    const before = JSON.parse(await download(shop, then))
    expect(before.content.value).toBe('100.15')
    expect(before.content.deliveries).toMatchObject([{ artifact_id: shop.first, superseded: false }])
    context.clock.set('2026-03-15T12:05:00Z')
    await deliver(shop, [february('1')], { receivedAt: '2026-03-15T12:01:00Z' })
    await database.pool.query(`update sources set name = 'Renamed' where source_id = $1`, [shop.sourceId])
    const after = JSON.parse(await download(shop, then))
    expect(after.content).toEqual(before.content)
    expect(after.code).toBe(before.code)
    expect(after.details_code).not.toBe(before.details_code)
    expect(JSON.parse(await download(shop)).code).not.toBe(before.code)
  })

  test('says through which connection a delivery came, and who signed that, to roles that may see it', async () => {
    const scene = await seedScene(context, {
      source: statements,
      connection: {},
      members: ['developer', 'reader'],
    })
    const ids = { companyId: scene.company.companyId, sourceId: scene.source.sourceId }
    const { artifactId } = await storeDelivery(database.pool, ids, [february('1')])
    await context.pool.query('update shard_1.deliveries set connection_id = $2 where artifact_id = $1', [
      artifactId,
      scene.connection.connection.connectionId,
    ])
    await worker.drain()
    const path = `/console/companies/${ids.companyId}/sources/${ids.sourceId}/reports/revenue/evidence${query}`
    const [seen, whole] = [
      await (await signInConsole(app, context, scene.reader)).get(path),
      await (await signInConsole(app, context, scene.developer)).get(path),
    ]
    expect(seen.body.content.deliveries).toMatchObject([
      { channel: 'push', signature: { signed_with: 'demo', record_sha256: expect.any(String) } },
    ])
    expect(JSON.stringify(seen.body)).not.toContain(scene.owner.name)
    expect(whole.body.code).toBe(seen.body.code)
    expect(whole.body.details.deliveries).toMatchObject([{ signed_by: scene.owner.name }])
  })

  test('gives readers the same code, without rows and names', async () => {
    const shop = await openRestated()
    const seen = (await shop.reader.get(`${shop.evidence}${query}`)).body
    const whole = (await shop.developer.get(`${shop.evidence}${query}`)).body
    expect(seen.code).toBe(whole.code)
    expect(seen.details).toMatchObject({ deliveries_visible: false, deliveries: [] })
    expect(whole.details.deliveries).toMatchObject([
      {
        artifact_id: shop.first,
        rows: { listed: [{ gave: '100.1' }, { gave: '0.05' }], more: false, adds: true },
      },
      { artifact_id: shop.second, rows: { listed: [{ gave: '75.5' }] } },
    ])
    expect(JSON.stringify(whole)).not.toContain('ada@example.se')
  })

  test('is checked by the script, with the deliveries as they were sent; any changed byte fails', async () => {
    const shop = await openRestated()
    const bundle = await download(shop)
    const sent = join(folder, 'sent.json')
    writeFileSync(sent, JSON.stringify([february('75.5')]))
    const agreed = check(bundle, sent)
    expect(agreed).toMatchObject({ code: 0, printed: expect.stringContaining(`is delivery ${shop.second}`) })
    expect(agreed.printed).toContain('100.15 is the sum of 2 rows')
    writeFileSync(sent, JSON.stringify([february('75.6')]))
    expect(check(bundle, sent)).toMatchObject({
      code: 1,
      printed: expect.stringContaining('none of the deliveries'),
    })
    const altered = {
      'a digit of the figure': bundle.replace('"value":"75.5"', '"value":"75.6"'),
      'a digit of a row': bundle.replace('"gave":"0.05"', '"gave":"0.06"'),
      'a letter of a name': bundle.replace('"shape_version":1', '"shape_version":2'),
      'a digit of a hash': bundle.replace(
        /("sha256":")(.)/,
        (_all, before, digit) => `${before}${digit === '0' ? '1' : '0'}`,
      ),
      'a letter of the code': bundle.replace(
        /("code":")(.)/,
        (_all, before, letter) => `${before}${letter === 'A' ? 'B' : 'A'}`,
      ),
      'a brace': bundle.replace('{', '['),
      'a space': bundle.replace(',', ', '),
      'the line end': bundle.trimEnd(),
      'a key': bundle.replace('"unparsed"', '"unparsec"'),
    }
    for (const [what, text] of Object.entries(altered)) {
      expect(text, what).not.toBe(bundle)
      expect(check(text).code, what).toBe(1)
    }
  })

  test('before anything was received says that nothing was known, and refuses the future', async () => {
    const shop = await openRestated()
    const { body } = await shop.reader.get(`${shop.evidence}${query}&as_of=2026-01-01T00:00:00Z`)
    expect(body.content).toMatchObject({ value: null, deliveries: [] })
    const future = await shop.reader.get(`${shop.evidence}${query}&as_of=2027-01-01T00:00:00Z`)
    expect(future).toMatchObject({ status: 400, body: { field: 'as_of' } })
    const none = await shop.reader.get(`${shop.evidence}?period_start=2026-01-01&grain=month`)
    expect(none.status).toBe(404)
  })

  test('agrees with the script where labels have any characters', async () => {
    const shop = await openShop(byCountry)
    const country = 'Å "<&>\\ \u2028 😀'
    await deliver(shop, [{ at: '2026-02-03', amount: '0.1', country }])
    await deliver(shop, [{ at: '2026-02-04', amount: '0.2', country }])
    const labelled = `?period_start=2026-02-01&grain=month&label.country=${encodeURIComponent(country)}`
    const { body } = await shop.reader.get(`${shop.report}/evidence/file.json${labelled}`)
    expect(check(`${JSON.stringify(body)}\n`)).toMatchObject({
      code: 0,
      printed: expect.stringContaining('figure 0.3 SEK'),
    })
  })

  test('is recorded when it is downloaded', async () => {
    const shop = await openRestated()
    await download(shop)
    const { rows } = await context.pool.query(
      `select details from audit_events where action = 'evidence_downloaded' and company_id = $1`,
      [shop.companyId],
    )
    expect(rows).toEqual([{ details: { metric: 'revenue', period_start: '2026-02-01' } }])
  })
})
