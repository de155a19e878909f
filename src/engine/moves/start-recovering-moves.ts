import { recoverMoves, type MoveContext } from './end-moves.ts'

/** How often a process looks for moves that their movers do not finish, in milliseconds. Nearly always there is none. */
const recoverEveryMs = 1_000

/** Recovers moves at intervals while the process runs. What fails is tried again the next time. */
export function startRecoveringMoves(context: MoveContext): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= recoverMoves(context, { signal })
      .catch((error: unknown) => {
        if (!signal.aborted) context.log.warn({ err: error }, 'moves to other shards could not be recovered')
      })
      .finally(() => (running = undefined))
  }, recoverEveryMs)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
