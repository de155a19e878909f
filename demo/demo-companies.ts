import { demoPeople } from '../src/people/identity/demo/demo-people.ts'
import type { Declaration, Field, Metric } from '../src/engine/declarations/declaration.ts'
import type { SourceSettings } from '../src/company/sources/source.ts'
import type { demoSourceNames, DemoCompanyName, DemoSourceName } from './demo-scene.ts'

export interface DemoSourceSettings extends SourceSettings {
  declaration: Declaration
}

export interface DemoCompany<Name extends DemoCompanyName = DemoCompanyName> {
  orgnr: string
  name: string
  sources: Record<(typeof demoSourceNames)[Name][number], DemoSourceSettings>
}

/** The owner of the demo's two companies. A number that the tax agency gives to no one: anyone may sign in with it. */
export const demoOwner = demoPeople.owner

/** The sole trader's organisation number is their personal number: another one that is nobody's. */
export const soleTrader = { personalNumber: '189001039826', name: 'Linnea Lindqvist' }

function field(name: string, type: Field['type'], personal = false): Field {
  return { name, type, personal }
}

function metric(given: Partial<Metric> & Pick<Metric, 'metric' | 'aggregation' | 'period'>): Metric {
  return {
    filters: [],
    group_by: [],
    ...given,
  }
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

/** Version 1, and version 2 with the channel of each order. */
function shopDeclaration(channel: 'without channel' | 'with channel'): Declaration {
  const isKnown = channel === 'with channel'
  return {
    fields: isKnown ? [...shopFields, field('channel', 'text')] : shopFields,
    event_time: 'at',
    delivers: 'events',
    metrics: [
      metric({
        metric: 'revenue',
        aggregation: 'sum',
        field: 'quantity',
        times: 'unit_price',
        group_by: isKnown ? ['country', 'channel'] : ['country'],
        period: 'day',
      }),
      metric({
        metric: 'active_users',
        aggregation: 'count_distinct',
        field: 'customer',
        filters: [{ field: 'quantity', comparison: '>', value: '0' }],
        period: 'month',
      }),
    ],
  }
}

export const shopWithChannel = shopDeclaration('with channel')

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
    shop: {
      ...pushed,
      name: 'Web shop',
      systemKind: 'web shop',
      declaration: shopDeclaration('without channel'),
    },
    ledger: {
      ...pushed,
      name: 'Ledger',
      systemKind: 'ledger',
      declaration: {
        fields: [field('booked', 'timestamp'), field('account', 'text'), field('amount', 'number')],
        event_time: 'booked',
        delivers: 'statements',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            filters: revenueAccounts,
            period: 'month',
          }),
        ],
      },
    },
    wholesale: {
      ...pushed,
      name: 'Wholesale',
      systemKind: 'invoicing',
      declaration: {
        fields: [
          field('invoiced', 'timestamp'),
          field('invoice', 'text'),
          field('buyer', 'text'),
          field('amount', 'number'),
        ],
        event_time: 'invoiced',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            group_by: ['buyer'],
            period: 'month',
          }),
        ],
      },
    },
    returns: {
      ...pushed,
      name: 'Returns',
      systemKind: 'warehouse',
      declaration: {
        fields: [
          field('at', 'timestamp'),
          field('parcel', 'text'),
          field('amount', 'number'),
          field('reason', 'text'),
        ],
        event_time: 'at',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            group_by: ['reason'],
            period: 'day',
          }),
        ],
      },
    },
    // Where a newcomer's first push goes.
    firstSteps: {
      ...pushed,
      name: 'First steps',
      systemKind: 'your own',
      declaration: {
        fields: [field('at', 'timestamp'), field('amount', 'number'), field('country', 'text')],
        event_time: 'at',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            group_by: ['country'],
            period: 'day',
          }),
        ],
      },
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
      systemKind: 'app',
      declaration: {
        fields: [field('at', 'timestamp'), field('user', 'text', true), field('plan', 'text')],
        event_time: 'at',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'active_users',
            aggregation: 'count_distinct',
            field: 'user',
            group_by: ['plan'],
            period: 'week',
          }),
        ],
      },
    },
    // Where a newcomer's first webhook goes.
    registers: {
      name: 'Cash registers',
      systemKind: 'cash register',
      channel: 'webhook',
      format: null,
      declaration: {
        fields: [
          field('at', 'timestamp'),
          field('quantity', 'number'),
          field('unit_price', 'number'),
          field('product', 'text'),
        ],
        event_time: 'at',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'quantity',
            times: 'unit_price',
            group_by: ['product'],
            period: 'day',
          }),
        ],
      },
    },
    coffeeOrders: {
      name: 'Wholesale',
      systemKind: 'spreadsheet',
      channel: 'push',
      format: 'csv',
      declaration: {
        fields: shopFields,
        event_time: 'at',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'quantity',
            times: 'unit_price',
            group_by: ['country'],
            period: 'month',
          }),
        ],
      },
    },
    bookkeeping: {
      name: 'Bookkeeping',
      systemKind: 'ledger',
      channel: 'push',
      format: 'sie',
      declaration: {
        fields: [field('date', 'timestamp'), field('account', 'text'), field('credit', 'number')],
        event_time: 'date',
        delivers: 'statements',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'credit',
            filters: revenueAccounts,
            period: 'month',
          }),
        ],
      },
    },
  },
}

const photographer: DemoCompany<'soleTrader'> = {
  orgnr: soleTrader.personalNumber,
  name: 'Foto Lindqvist',
  sources: {
    invoices: {
      name: 'Invoices',
      systemKind: 'spreadsheet',
      channel: 'push',
      format: 'csv',
      declaration: {
        fields: [field('invoiced', 'timestamp'), field('work', 'text'), field('amount', 'number')],
        event_time: 'invoiced',
        delivers: 'events',
        metrics: [
          metric({
            metric: 'revenue',
            aggregation: 'sum',
            field: 'amount',
            group_by: ['work'],
            period: 'month',
          }),
        ],
      },
    },
  },
}

/** What the demo's companies are called and what their sources declare at first. */
export const demoCompanies: { [Name in DemoCompanyName]: DemoCompany<Name> } = {
  ekeby,
  norrsken,
  soleTrader: photographer,
}

/** The settings of each source, whosever it is. */
export const demoSources: Record<DemoSourceName, DemoSourceSettings> = {
  ...ekeby.sources,
  ...norrsken.sources,
  ...photographer.sources,
}
