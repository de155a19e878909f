/**
 * Settles at the first SIGTERM or SIGINT. A second one ends the process at once, for whoever will not wait.
 */
export const untilToldToStop = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const first = (signal: NodeJS.Signals): void => {
      for (const each of ['SIGTERM', 'SIGINT'] as const) {
        process.off(each, first)
        process.on(each, () => process.exit(1))
      }
      resolve(signal)
    }
    process.on('SIGTERM', first)
    process.on('SIGINT', first)
  })
