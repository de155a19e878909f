/**
 * How long a process may take to stop, in milliseconds, from the moment when it takes no more calls: immediately, or after
 * `NUMERA_DRAIN_SECONDS`. Its parts have bounds of their own (`requestsEndMsMax`, `closeMsMax`, `workerStopMsMax`,
 * `poolEndMsMax`, `embeddedStopMsMax`); beyond this one the process ends as at a second signal. Acknowledged deliveries
 * are on disk by then.
 */
export const stopMsMax = 30_000

/**
 * Settles at the first SIGTERM or SIGINT. A second one ends the process immediately, for an impatient operator; so does
 * `stopMsMax`, which `say` reports.
 *
 * @param drainMs for which the process takes calls after the signal
 */
export function untilStopSignal(
  say: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
  drainMs = 0,
): Promise<NodeJS.Signals> {
  const msMax = drainMs + stopMsMax
  return new Promise((resolve) => {
    const first = (signal: NodeJS.Signals): void => {
      for (const each of ['SIGTERM', 'SIGINT'] as const) {
        process.off(each, first)
        process.on(each, () => process.exit(1))
      }
      setTimeout(() => {
        say(`The process did not stop within ${msMax / 1_000} seconds and exits now.`)
        process.exit(1)
      }, msMax).unref()
      resolve(signal)
    }
    process.on('SIGTERM', first)
    process.on('SIGINT', first)
  })
}
