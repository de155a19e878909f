import type { Context } from '../context.ts'
import { countUsage, usageCountEveryMs } from './count-usage.ts'

/** Counts what companies hold, now and then, as long as the service runs. What fails is tried again the next time. */
export const startCountingUsage = (
  context: Pick<Context, 'pool' | 'clock' | 'config' | 'log'>,
): AsyncDisposable => {
  let counting: Promise<unknown> | undefined
  const timer = setInterval(() => {
    // One that takes long, such as a recount, is not begun again beside itself.
    counting ??= countUsage(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'what companies hold could not be counted'))
      .finally(() => (counting = undefined))
  }, usageCountEveryMs)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await counting
    },
  }
}
