import { demoPeople } from '../identity/demo-people.ts'
import type { Declaration, Field, Metric } from '../sources/declaration.ts'
import type { SourceSettings } from '../sources/source.ts'
import type { FixtureKind } from './fixture-documents.ts'

export interface DemoSource extends SourceSettings {
  declaration: Declaration
  /** How its deliveries are made up (`fixture-rows.ts`); absent for a source that waits for its first. */
  fixture?: 'orders' | 'bookings' | 'visits'
  /** The same for one that delivers documents, or whole months by webhook (`fixture-documents.ts`). */
  documents?: FixtureKind
}

export interface DemoCompany {
  orgnr: string
  name: string
  timeZone: string
  sources: DemoSource[]
}

/** A number that the tax agency gives to no one: anyone may sign in to the demo with it. */
export const demoOwner = demoPeople.owner

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

const orderFields = [
  field('at', 'timestamp'),
  field('order', 'text'),
  field('quantity', 'number'),
  field('unit_price', 'number'),
  field('country', 'text'),
  field('customer', 'text', true),
]

/** The shop whose year of samples the published demo connection reads. */
const webShop: DemoSource = {
  name: 'Web shop',
  systemKind: 'web shop',
  deliveryWay: 'push',
  documentFormat: null,
  declaration: {
    fields: orderFields,
    event_time: 'at',
    delivers: 'events',
    metrics: [
      metric({
        metric: 'revenue',
        aggregation: 'sum',
        field: 'quantity',
        times: 'unit_price',
        group_by: ['country'],
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
  },
  fixture: 'orders',
}

/** Sales, in the chart of accounts that most Swedish companies use. */
const revenueAccounts: Metric['filters'] = [
  { field: 'account', comparison: '≥', value: '3000' },
  { field: 'account', comparison: '<', value: '3800' },
]

const ledger: DemoSource = {
  name: 'Ledger',
  systemKind: 'ledger',
  deliveryWay: 'push',
  documentFormat: null,
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
  fixture: 'bookings',
}

/** Where a newcomer's first push goes. */
export const firstSteps: DemoSource = {
  name: 'First steps',
  systemKind: 'your own',
  deliveryWay: 'push',
  documentFormat: null,
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
}

const app: DemoSource = {
  name: 'App',
  systemKind: 'app',
  deliveryWay: 'push',
  documentFormat: null,
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
  fixture: 'visits',
}

/** Where a newcomer's first webhook goes. */
export const cashRegisters: DemoSource = {
  name: 'Cash registers',
  systemKind: 'cash register',
  deliveryWay: 'webhook',
  documentFormat: null,
  declaration: {
    fields: orderFields,
    event_time: 'at',
    delivers: 'events',
    metrics: [
      metric({
        metric: 'revenue',
        aggregation: 'sum',
        field: 'quantity',
        times: 'unit_price',
        period: 'day',
      }),
    ],
  },
  documents: 'sales',
}

const wholesale: DemoSource = {
  name: 'Wholesale',
  systemKind: 'spreadsheet',
  deliveryWay: 'push',
  documentFormat: 'csv',
  declaration: {
    fields: orderFields,
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
  documents: 'orders',
}

const bookkeeping: DemoSource = {
  name: 'Bookkeeping',
  systemKind: 'ledger',
  deliveryWay: 'push',
  documentFormat: 'sie',
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
  documents: 'bookings',
}

/** The two companies of a demo deployment; the first source is the one that the demo connection reads. */
export const demoCompanies: DemoCompany[] = [
  {
    orgnr: '5599990016',
    name: 'Ekeby Handel AB',
    timeZone: 'Europe/Stockholm',
    sources: [webShop, ledger, firstSteps],
  },
  {
    orgnr: '5599990024',
    name: 'Norrsken Kaffe AB',
    timeZone: 'Europe/Stockholm',
    sources: [app, cashRegisters, wholesale, bookkeeping],
  },
]
