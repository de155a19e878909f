import type { Metric, Shape } from '../../src/engine/declarations/declaration.ts'
import { TimeZone } from '../../src/formats/values/time-zone.ts'

/** The fields of orders, of every type. */
export const shape: Shape = {
  event_time: 'at',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'quantity', type: 'number', personal: false },
    { name: 'country', type: 'text', personal: false },
    { name: 'kund "å"', type: 'text', personal: true },
    { name: 'test', type: 'bool', personal: false },
    { name: 'due', type: 'timestamp', personal: false },
  ],
}
export const stockholm = new TimeZone('Europe/Stockholm')
export const salt = Buffer.from('salt')

/** The sum of a field by day, but for what is given. */
export const metric = (parts: Partial<Metric>): Metric => ({
  metric: 'revenue',
  aggregation: 'sum',
  filters: [],
  group_by: [],
  period: 'day',
  ...parts,
})
