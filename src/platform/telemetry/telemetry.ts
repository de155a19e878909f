import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** What the service counts about itself, read by Prometheus from a port of its own. */
export interface Telemetry {
  registry: Registry
  /** Deliveries stored. */
  accepts: Counter<'way'>
  /** Deliveries answered from a stored one. */
  replays: Counter<'way'>
  /** Error answers, by `code` of the `Error` body (or OAuth's `error`). */
  refusals: Counter<'code'>
  /** Answered calls of apps that could not be recorded. */
  appCallsUnrecorded: Counter
  /** Refused calls over connections and to webhooks' addresses of which no record was kept. */
  refusedCallsUnrecorded: Counter
  /**
   * How many calls one statement served: `admit`, `webhook`, `webhook_rate`, `oauth_rate`, `refresh`, `store`,
   * `app_calls`, `refused_calls`.
   */
  batchItems: Histogram<'batch'>
  /** From the start of a batch to its commit. */
  batchSeconds: Histogram<'batch'>
  /**
   * Deliveries still to be parsed, by queue: `small` and `large` new ones, `smallRebuild` and `largeRebuild`, and
   * `retry` for those that were begun or failed before. Set by the worker.
   */
  backlogDeliveries: Gauge<'queue'>
  /** How long the oldest of them has waited; 0 when there is none. Set by the worker. */
  backlogAgeSeconds: Gauge<'queue'>
  /** Rows of deliveries that were parsed into samples. */
  rowsRead: Counter
  rowsRefused: Counter
  /** New cells that parsing wrote. */
  cellsAdded: Counter
  /** One batch of the worker, from taking it to its commit. */
  readSeconds: Histogram
  /**
   * How far another clock is ahead of the time that this process keeps: the `database`'s, or the machine's own
   * (`wall`).
   */
  clockSkewSeconds: Gauge<'against'>
  /** How often one of them was found too far away. */
  clockSteps: Counter<'of'>
  /** 1 while the expiry sweep deletes nothing, since the time is not proven. */
  expirySweepHeld: Gauge
  /**
   * Calls to BankID, by how they ended: `ok`, BankID's `errorCode`, `unreachable`, `late`, `malformed`, `faulty` (429 or 5xx
   * without a known word), `no_certificate` (none was made) or `other`.
   */
  bankIdCalls: Counter<'operation' | 'outcome'>
  /** Orders at BankID that ended: `complete`, or why they failed. */
  bankIdOrders: Counter<'outcome'>
  /** Completed orders by the risk that BankID saw: `low`, `moderate`, `high` (then they failed), or `none`: it said none. */
  bankIdRisk: Counter<'risk'>
  /** When the certificate for BankID ends, in seconds since 1970; 0 where BankID is not used. */
  bankIdCertificateNotAfter: Gauge
  /**
   * Sign-ins at the OpenID Connect provider, by what became of them: `complete`, `refused`, `unavailable`,
   * `not_verified`, `no_person`, and what came by way of the browser: `refused_by_provider`, `bad_callback`,
   * `other_browser`. One that was complete counts again where the provider ended it before its session was made: `ended`.
   */
  openIdConnectSignIns: Counter<'outcome'>
  /** Logout tokens of the OpenID Connect provider: `ended`, `no_session`, `refused`, `rate_limited`. */
  backChannelLogouts: Counter<'outcome'>
  /** From the end of a request's head to the end of its answer, by route pattern. */
  httpSeconds: Histogram<'route' | 'method' | 'status'>
}

/** Metrics of one process, in a registry of their own, so that tests do not meet each other. */
export function createTelemetry(options: { process?: boolean } = {}): Telemetry {
  const registry = new Registry()
  const registers = [registry]
  if (options.process === true) collectDefaultMetrics({ register: registry, prefix: 'numera_' })

  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> => new Counter({ name: `numera_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> => new Histogram({ name: `numera_${name}`, help, buckets, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> =>
    new Gauge({ name: `numera_${name}`, help, labelNames, registers })

  return {
    registry,
    accepts: counter('deliveries_accepted_total', 'Deliveries stored', ['way']),
    replays: counter('deliveries_replayed_total', 'Deliveries answered from a stored one', ['way']),
    refusals: counter('refusals_total', 'Error answers by code', ['code']),
    appCallsUnrecorded: counter('app_calls_unrecorded_total', 'Calls of apps of which no record was kept'),
    refusedCallsUnrecorded: counter(
      'refused_calls_unrecorded_total',
      'Refused calls over connections and to webhooks of which no record was kept',
    ),
    batchItems: histogram('batch_items', 'Calls served by one statement', sizeBuckets, ['batch']),
    batchSeconds: histogram('batch_seconds', 'Time of one batch, commit included', secondsBuckets, ['batch']),
    backlogDeliveries: gauge('backlog_deliveries', 'Deliveries still to be parsed', ['queue']),
    backlogAgeSeconds: gauge('backlog_age_seconds', 'How long the oldest unread delivery has waited', [
      'queue',
    ]),
    rowsRead: counter('rows_read_total', 'Rows read into samples'),
    rowsRefused: counter('rows_refused_total', 'Rows that did not fit their shape'),
    cellsAdded: counter('cells_added_total', 'Cells that there were not before'),
    readSeconds: histogram('read_seconds', 'Time of one batch of the worker', secondsBuckets),
    clockSkewSeconds: gauge('clock_skew_seconds', 'How far a clock is ahead of the time that is kept', [
      'against',
    ]),
    clockSteps: counter('clock_steps_total', 'Clocks found further away than they may be', ['of']),
    expirySweepHeld: gauge('expiry_sweep_held', '1 while nothing expired is deleted: the time is not proven'),
    bankIdCalls: counter('bankid_calls_total', 'Calls to BankID by how they ended', ['operation', 'outcome']),
    bankIdOrders: counter('bankid_orders_total', 'Orders at BankID by how they ended', ['outcome']),
    bankIdRisk: counter('bankid_risk_total', 'Completed orders at BankID by risk', ['risk']),
    bankIdCertificateNotAfter: gauge(
      'bankid_certificate_not_after_seconds',
      'When the certificate for BankID ends, in seconds since 1970',
    ),
    openIdConnectSignIns: counter(
      'openid_connect_sign_ins_total',
      'Sign-ins at the OpenID Connect provider by outcome',
      ['outcome'],
    ),
    backChannelLogouts: counter(
      'back_channel_logouts_total',
      'Logout tokens of the OpenID Connect provider by outcome',
      ['outcome'],
    ),
    httpSeconds: histogram('http_seconds', 'Time to answer by route', secondsBuckets, [
      'route',
      'method',
      'status',
    ]),
  }
}
