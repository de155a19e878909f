import type { Logger } from 'pino'
import type { ClockObserver } from '../clock/deployment-clock.ts'
import type { ClockEvent } from '../clock/keep-time.ts'
import type { Telemetry } from './telemetry.ts'

function seconds(ms: number): number {
  return Math.round(ms) / 1_000
}

function logEvent(log: Logger, event: ClockEvent): void {
  switch (event.kind) {
    case 'step':
      log.error(
        { clock: event.of, aheadSeconds: seconds(event.aheadMs) },
        event.of === 'database'
          ? "the database's clock has stepped: this process keeps its time, and is not ready"
          : "this machine's clock is wrong: this process keeps the database's time, and is not ready",
      )
      break
    case 'agrees':
      log.info({ clock: event.of }, 'the clocks agree again')
      break
    case 'taken_over':
      log.warn(
        { aheadSeconds: seconds(event.aheadMs) },
        "the database's clock has kept its new time, which this process adopts",
      )
      break
    case 'resumed':
      log.info({ suspendedSeconds: seconds(event.suspendedMs) }, 'this machine was suspended')
  }
}

/** Logs events of the clocks, and measures their skew. */
export function createClockObserver(
  log: Logger,
  telemetry: Pick<Telemetry, 'clockSkewSeconds' | 'clockSteps'>,
): Required<ClockObserver> {
  return {
    onSkew: (clock, aheadMs) => telemetry.clockSkewSeconds.set({ clock }, aheadMs / 1_000),
    onEvent: (event) => {
      logEvent(log, event)
      if (event.kind === 'step') telemetry.clockSteps.inc({ clock: event.of })
    },
  }
}
