import { AsyncLocalStorage } from 'node:async_hooks'

/** Work of one caller that waits for a connection of a shared pool; further work gets 503 immediately. */
export const connectionsWaitingMax = 2_000

const callers = new AsyncLocalStorage<string | undefined>()

/** Attributes the connections that some work takes from a shared pool to a caller, or with undefined to none. */
export function countAs<T>(caller: string | undefined, work: () => T): T {
  return callers.run(caller, work)
}

/** The caller of the present work. */
export function getCaller(): string | undefined {
  return callers.getStore()
}
