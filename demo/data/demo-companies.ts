import { demoPeople } from '../../src/people/identity/demo/demo-people.ts'
import type { demoSourceNames, DemoCompanyName, DemoSourceName } from '../clients/demo-scene.ts'

interface Field {
  name: string
  type: 'timestamp' | 'number' | 'text'
  personal: boolean
}

interface Metric {
  metric: string
  aggregation: 'sum' | 'count_distinct'
  field: string
  times?: string
  filters: { field: string; comparison: string; value: string }[]
  group_by: string[]
  period: 'day' | 'week' | 'month'
}

interface Declaration {
  fields: Field[]
  event_time: string
  delivers: 'events' | 'statements'
  metrics: Metric[]
}

interface Settings {
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: 'csv' | 'sie' | null
}

/** The console API's body of a new source. */
export type DemoSourceSettings = Settings & Declaration

export interface DemoCompany<Name extends DemoCompanyName = DemoCompanyName> {
  orgnr: string
  name: string
  sources: Record<(typeof demoSourceNames)[Name][number], DemoSourceSettings>
}

/** The owner of the demo's two companies. */
export const demoOwner: { personalNumber: string; name: string } = demoPeople.owner

/** A sole trader's organisation number is their personal number. This one is not in use either. */
export const soleTrader = { personalNumber: '189001039826', name: 'Linnea Lindqvist' }

function field(name: string, type: Field['type'], personal = false): Field {
  return { name, type, personal }
}

/** A sum by day. */
function revenue(given: Partial<Metric> = {}): Metric {
  return {
    metric: 'revenue',
    aggregation: 'sum',
    field: 'amount',
    filters: [],
    group_by: [],
    period: 'day',
    ...given,
  }
}

/** A count of distinct values. */
function activeUsers(given: Pick<Metric, 'field' | 'period'> & Partial<Metric>): Metric {
  return { metric: 'active_users', aggregation: 'count_distinct', filters: [], group_by: [], ...given }
}

const pushed = { channel: 'push', format: null } as const

const shopFields = [
  field('at', 'timestamp'),
  field('order', 'text'),
  field('quantity', 'number'),
  field('unit_price', 'number'),
  field('country', 'text'),
  field('customer', 'text', true),
]

/** Version 2 has the channel of each order. */
function shopDeclaration(channel: 'without channel' | 'with channel'): Declaration {
  const isKnown = channel === 'with channel'
  return {
    fields: isKnown ? [...shopFields, field('channel', 'text')] : shopFields,
    event_time: 'at',
    delivers: 'events',
    metrics: [
      revenue({
        field: 'quantity',
        times: 'unit_price',
        group_by: isKnown ? ['country', 'channel'] : ['country'],
      }),
      activeUsers({
        field: 'customer',
        filters: [{ field: 'quantity', comparison: '>', value: '0' }],
        period: 'month',
      }),
    ],
  }
}

const shop: Settings = { ...pushed, name: 'Web shop', system_kind: 'web shop' }

/** Version 2 of the shop. */
export const shopWithChannel: DemoSourceSettings = { ...shop, ...shopDeclaration('with channel') }

/** Sales, in the chart of accounts that most Swedish companies use. */
const revenueAccounts: Metric['filters'] = [
  { field: 'account', comparison: '≥', value: '3000' },
  { field: 'account', comparison: '<', value: '3800' },
]

const ekeby: DemoCompany<'ekeby'> = {
  orgnr: '5599990016',
  name: 'Ekeby Handel AB',
  sources: {
    // The published demo connection reads it.
    shop: { ...shop, ...shopDeclaration('without channel') },
    ledger: {
      ...pushed,
      name: 'Ledger',
      system_kind: 'ledger',
      fields: [field('booked', 'timestamp'), field('account', 'text'), field('amount', 'number')],
      event_time: 'booked',
      delivers: 'statements',
      metrics: [revenue({ filters: revenueAccounts, period: 'month' })],
    },
    wholesale: {
      ...pushed,
      name: 'Wholesale',
      system_kind: 'invoicing',
      fields: [
        field('invoiced', 'timestamp'),
        field('invoice', 'text'),
        field('buyer', 'text'),
        field('amount', 'number'),
      ],
      event_time: 'invoiced',
      delivers: 'events',
      metrics: [revenue({ group_by: ['buyer'], period: 'month' })],
    },
    returns: {
      ...pushed,
      name: 'Returns',
      system_kind: 'warehouse',
      fields: [
        field('at', 'timestamp'),
        field('parcel', 'text'),
        field('amount', 'number'),
        field('reason', 'text'),
      ],
      event_time: 'at',
      delivers: 'events',
      metrics: [revenue({ group_by: ['reason'] })],
    },
    // For a newcomer's first push.
    firstSteps: {
      ...pushed,
      name: 'First steps',
      system_kind: 'your own',
      fields: [field('at', 'timestamp'), field('amount', 'number'), field('country', 'text')],
      event_time: 'at',
      delivers: 'events',
      metrics: [revenue({ group_by: ['country'] })],
    },
  },
}

const norrsken: DemoCompany<'norrsken'> = {
  orgnr: '5599990024',
  name: 'Norrsken Kaffe AB',
  sources: {
    app: {
      ...pushed,
      name: 'App',
      system_kind: 'app',
      fields: [field('at', 'timestamp'), field('user', 'text', true), field('plan', 'text')],
      event_time: 'at',
      delivers: 'events',
      metrics: [activeUsers({ field: 'user', group_by: ['plan'], period: 'week' })],
    },
    // For a newcomer's first webhook.
    registers: {
      name: 'Cash registers',
      system_kind: 'cash register',
      channel: 'webhook',
      format: null,
      fields: [
        field('at', 'timestamp'),
        field('quantity', 'number'),
        field('unit_price', 'number'),
        field('product', 'text'),
      ],
      event_time: 'at',
      delivers: 'events',
      metrics: [revenue({ field: 'quantity', times: 'unit_price', group_by: ['product'] })],
    },
    coffeeOrders: {
      name: 'Wholesale',
      system_kind: 'spreadsheet',
      channel: 'push',
      format: 'csv',
      fields: shopFields,
      event_time: 'at',
      delivers: 'events',
      metrics: [revenue({ field: 'quantity', times: 'unit_price', group_by: ['country'], period: 'month' })],
    },
    bookkeeping: {
      name: 'Bookkeeping',
      system_kind: 'ledger',
      channel: 'push',
      format: 'sie',
      fields: [field('date', 'timestamp'), field('account', 'text'), field('credit', 'number')],
      event_time: 'date',
      delivers: 'statements',
      metrics: [revenue({ field: 'credit', filters: revenueAccounts, period: 'month' })],
    },
  },
}

const photographer: DemoCompany<'soleTrader'> = {
  orgnr: soleTrader.personalNumber,
  name: 'Foto Lindqvist',
  sources: {
    invoices: {
      name: 'Invoices',
      system_kind: 'spreadsheet',
      channel: 'push',
      format: 'csv',
      fields: [field('invoiced', 'timestamp'), field('work', 'text'), field('amount', 'number')],
      event_time: 'invoiced',
      delivers: 'events',
      metrics: [revenue({ group_by: ['work'], period: 'month' })],
    },
  },
}

/** The companies, and the first declarations of their sources. */
export const demoCompanies: { [Name in DemoCompanyName]: DemoCompany<Name> } = {
  ekeby,
  norrsken,
  soleTrader: photographer,
}

/** The sources of all companies. */
export const demoSources: Record<DemoSourceName, DemoSourceSettings> = {
  ...ekeby.sources,
  ...norrsken.sources,
  ...photographer.sources,
}
