import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Of the built-in database; 0 where nothing is backed up. */
function createBackupMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name: `numera_backup_${name}`, help, registers })
  return {
    backupAgeSeconds: gauge('age_seconds', 'How old the last instant is that could be restored'),
    backupFaults: gauge('faults', 'What the last check of the backup found wrong'),
    backupLastBase: gauge(
      'last_base_seconds',
      'When the last base was taken that is whole, in seconds since 1970',
    ),
    backupLastRehearsal: gauge(
      'last_rehearsal_seconds',
      'When a restore last succeeded in a scratch folder, in seconds since 1970',
    ),
  }
}

/**
 * The service's metrics of one process, in a registry of their own, so that tests do not share them. Prometheus reads them
 * from a port of their own. docs/guides/operating.md says what each label can be.
 */
export function createTelemetry(options: { process?: boolean } = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (options.process === true) collectDefaultMetrics({ register: registry, prefix: 'numera_' })

  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `numera_${name}_total`, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `numera_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ) => new Histogram({ name: `numera_${name}`, help, labelNames, buckets, registers })

  return {
    registry,
    accepts: counter('deliveries_accepted', 'Deliveries stored', ['channel']),
    replays: counter('deliveries_replayed', 'Deliveries answered with an earlier receipt', ['channel']),
    errorAnswers: counter('error_answers', 'Error answers by code', ['code']),
    appCallsUnrecorded: counter('app_calls_unrecorded', 'Answered calls of apps that could not be recorded'),
    refusedCallsUnrecorded: counter('refused_calls_unrecorded', 'Refused calls that were not recorded'),
    batchItems: histogram('batch_items', 'Calls served by one statement', sizeBuckets, ['batch']),
    batchSeconds: histogram('batch_seconds', 'Time of one batch, commit included', secondsBuckets, ['batch']),
    /** Only where there are standbys. */
    standbyReads: counter('standby_reads', 'Reads that a standby may answer, by outcome', ['outcome']),
    /** Set by the worker. */
    backlogDeliveries: gauge('backlog_deliveries', 'Deliveries waiting to be parsed', ['queue']),
    /** Set by the worker; 0 for an empty queue. */
    backlogAgeSeconds: gauge('backlog_age_seconds', 'How long the oldest delivery has waited', ['queue']),
    rowsAccepted: counter('rows_accepted', 'Rows parsed into samples'),
    rowsRefused: counter('rows_refused', 'Rows that did not fit their shape'),
    cellsAdded: counter('cells_added', 'New cells'),
    parseSeconds: histogram('parse_seconds', 'Time of one round of a worker', secondsBuckets),
    clockSkewSeconds: gauge('clock_skew_seconds', "How far a clock is ahead of this process's time", [
      'clock',
    ]),
    clockSteps: counter('clock_steps', 'Clocks found further off than allowed', ['clock']),
    expirySweepPaused: gauge(
      'expiry_sweep_paused',
      '1 while nothing expired is deleted: the time is in doubt',
    ),
    ...createBackupMetrics(registers),
    bankIdCalls: counter('bankid_calls', 'Calls to BankID by outcome', ['operation', 'outcome']),
    bankIdOrders: counter('bankid_orders', 'Ended orders at BankID by outcome', ['outcome']),
    bankIdRisk: counter('bankid_risk', 'Completed orders at BankID by risk', ['risk']),
    /** 0 where BankID is not used. */
    bankIdCertificateNotAfter: gauge(
      'bankid_certificate_not_after_seconds',
      'When the certificate for BankID expires, in seconds since 1970',
    ),
    /** A sign-in that the provider ends after its completion, before its session exists, counts a second time: `ended`. */
    openIdConnectSignIns: counter('openid_connect_sign_ins', 'Sign-ins at the OpenID Connect provider', [
      'outcome',
    ]),
    backChannelLogouts: counter('back_channel_logouts', 'Logout tokens of the OpenID Connect provider', [
      'outcome',
    ]),
    /** From the end of a request's head to the end of its answer, by route pattern. */
    httpSeconds: histogram('http_seconds', 'Time to answer by route', secondsBuckets, [
      'route',
      'method',
      'status',
    ]),
  }
}

export type Telemetry = ReturnType<typeof createTelemetry>
