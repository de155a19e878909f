/**
 * Runs `act` for a key once at a time. Calls that arrive while it runs share the next run, which begins after all of them.
 *
 * @param act what one run does for every call that was made before it begins
 */
export function shareNextRun(act: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()
  const run = (key: string): Promise<void> => {
    waiting.delete(key)
    const begun = act(key).finally(() => {
      if (running.get(key) === begun) running.delete(key)
    })
    running.set(key, begun)
    return begun
  }
  return (key) => {
    const current = running.get(key)
    if (current === undefined) return run(key)
    const next =
      waiting.get(key) ??
      current.then(
        () => run(key),
        () => run(key),
      )
    waiting.set(key, next)
    return next
  }
}
