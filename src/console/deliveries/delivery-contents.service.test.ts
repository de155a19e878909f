import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { saveSourceAsOperator } from '../../../testing/in-process/save-source.ts'
import {
  goodRow as good,
  refusedRow as bad,
  startDeliveryLog,
} from '../../../testing/in-process/scenes/delivery-log-scene.ts'

const log = await startDeliveryLog()
const { context, store, deliver } = log

/** Of the first row: country and customer. */
const lastTwoValues = async (artifactId: string) =>
  (await log.owner.get(`${log.company}/deliveries/${artifactId}/rows`)).body.rows[0].values.slice(2)

describe('one delivery', () => {
  test('it is shown with its hash, its refusals and its neighbours, without values', async () => {
    const rows = [
      { at: '2026-01-14', amount: '1', customer: 'anna@example.com' },
      { at: '2026-01-14T12:00:00', amount: '1', customer: 'anna@example.com' },
      bad,
    ]
    const older = await deliver([good])
    await deliver([good], { sandbox: true })
    const artifactId = await deliver(rows)
    const newer = await deliver([good])
    const { body } = await log.owner.get(`${log.company}/deliveries/${artifactId}`)
    expect(body).toMatchObject({
      sha256: createHash('sha256').update(JSON.stringify(rows)).digest('hex'),
      dropped_keys: [],
      parsed_at: new Date(context.clock.now()).toISOString(),
      older_artifact_id: older,
      newer_artifact_id: newer,
      refusals: [
        { row: 2, field: 'at', code: 'timestamp_no_offset' },
        { row: 3, field: 'amount', code: 'number_malformed' },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/secret|anna/)
    const queued = await store([good])
    expect((await log.owner.get(`${log.company}/deliveries/${queued}`)).body).toMatchObject({
      state: 'queued',
      parsed_at: null,
      refusals: [],
      older_artifact_id: newer,
      newer_artifact_id: null,
    })
  })

  test('a refused row of a document is shown with its line', async () => {
    const rows = Buffer.from('at,amount\n2026-01-14,1\n\n2026-01-14,secret\n')
    const artifactId = await deliver(rows, { format: 'csv' })
    const shown = await log.owner.get(`${log.company}/deliveries/${artifactId}`)
    expect(shown.body.refusals).toMatchObject([
      { row: 2, line: 4, field: 'amount', code: 'number_malformed' },
    ])
  })

  test('all its refused rows are counted by reason and field, with the first of each, also those beyond the stored hundred', async () => {
    const rows = [
      ...Array.from({ length: 150 }, () => ({ ...bad, customer: 'eva@example.com' })),
      good,
      { ...good, at: '2026-01-14T12:00:00' },
    ]
    const artifactId = await deliver(rows)
    const { body } = await log.owner.get(`${log.company}/deliveries/${artifactId}/refusals`)
    expect(body.groups).toMatchObject([
      {
        field: 'amount',
        code: 'number_malformed',
        rows: 150,
        examples: [{ row: 1 }, { row: 2 }, { row: 3 }],
      },
      { field: 'at', code: 'timestamp_no_offset', rows: 1, examples: [{ row: 152 }] },
    ])
    expect(JSON.stringify(body)).not.toContain('eva')
    const accepted = await deliver([good])
    const none = await log.owner.get(`${log.company}/deliveries/${accepted}/refusals`)
    expect(none.body.groups).toEqual([])
  })

  test('its rows are shown as they are kept, refused ones in their places, personal fields masked', async () => {
    const rows = [
      { ...good, customer: 'anna@example.com', country: 'SE' },
      { ...bad, customer: 'eva@example.com' },
      { at: '2026-01-14', amount: 7, country: null },
    ]
    const artifactId = await deliver(rows, { compressed: true })
    const { body } = await log.owner.get(`${log.company}/deliveries/${artifactId}/rows`)
    expect(body).toEqual({
      fields: [
        { name: 'at', type: 'timestamp', personal: false },
        { name: 'amount', type: 'number', personal: false },
        { name: 'country', type: 'text', personal: false },
        { name: 'customer', type: 'text', personal: true },
      ],
      rows: [
        {
          row: 1,
          line: null,
          values: [{ text: good.at }, { text: '1' }, { text: 'SE' }, { masked: true }],
          cells: null,
          refusal: null,
        },
        {
          row: 2,
          line: null,
          values: [{ text: bad.at }, { text: 'secret' }, null, { masked: true }],
          cells: null,
          refusal: {
            field: 'amount',
            code: 'number_malformed',
            reason: 'The value is not a number such as 1249.50, without comma, separators or unit.',
          },
        },
        {
          row: 3,
          line: null,
          values: [{ text: '2026-01-14' }, { text: '7' }, null, null],
          cells: null,
          refusal: null,
        },
      ],
      refusals_known_to: null,
      broken: null,
      next_cursor: null,
    })
    const refused = await log.owner.get(`${log.company}/deliveries/${artifactId}/rows?refused=true`)
    expect(refused.body.rows.map((each: { row: number }) => each.row)).toEqual([2])
  })

  test('a field is masked if it is personal now, or was at receipt', async () => {
    const before = await deliver([{ ...good, country: 'Anna', customer: 'Eva' }])
    const fields = testFields.map((field) => ({ ...field, personal: field.name === 'country' }))
    const declaration = { fields, event_time: 'at', metrics: [testMetric()], delivers: 'events' as const }
    await saveSourceAsOperator(context, { companyId: log.companyId, sourceId: log.sourceId }, { declaration })
    const after = await deliver([{ ...good, country: 'Anna', customer: 'Eva' }], { shapeVersion: 2 })
    expect(await lastTwoValues(before)).toEqual([{ masked: true }, { masked: true }])
    expect(await lastTwoValues(after)).toEqual([{ masked: true }, { text: 'Eva' }])
  })

  test('a field that is now personal under another case of its name is masked, and so are objects that contain it', async () => {
    const artifactId = await deliver([{ ...good, country: 'Anna', amount: { customer: 'Eva' } }])
    const fields = testFields.map((field) =>
      field.name === 'country' ? { ...field, name: 'Country', personal: true } : field,
    )
    const declaration = { fields, event_time: 'at', metrics: [testMetric()], delivers: 'events' as const }
    await saveSourceAsOperator(context, { companyId: log.companyId, sourceId: log.sourceId }, { declaration })
    const { body } = await log.owner.get(`${log.company}/deliveries/${artifactId}/rows`)
    expect(body.fields[2]).toMatchObject({ name: 'country', personal: true })
    expect(body.rows[0].values.slice(1, 3)).toEqual([{ masked: true }, { masked: true }])
    expect(JSON.stringify(body)).not.toMatch(/Anna|Eva/)
  })

  test('broken content is shown as far as it can be read', async () => {
    const artifactId = await deliver(
      Buffer.from('[{"at":"2026-01-14","customer":"anna"},{"amount":"1","cust'),
    )
    const { body } = await log.owner.get(`${log.company}/deliveries/${artifactId}/rows`)
    expect(body.rows).toMatchObject([
      { row: 1, values: [{ text: '2026-01-14' }, null, null, { masked: true }] },
    ])
    expect(body.broken).toMatchObject({ row: 2 })
    expect((await log.owner.get(`${log.company}/deliveries/${artifactId}/samples`)).body).toEqual({
      samples: [],
      count: 0,
      next_cursor: null,
    })
  })
})
