import type { Logger } from 'pino'

/**
 * Lines of one kind that a process writes about its answers in a minute. Those beyond are written at `debug` only;
 * their number is logged at the end of the minute.
 */
export const answerLinesPerMinuteMax = 60

const minuteMs = 60_000

/** `fault` and `unavailable` are errors when they are raised; the others are answers. */
export type AnswerLineKind = 'fault' | 'unavailable' | 'failed' | 'slow' | 'refused'

const levels = { fault: 'error', unavailable: 'warn', failed: 'info', slow: 'info', refused: 'info' } as const

/** The log of answers, which no caller can fill. */
export interface AnswerLog extends Disposable {
  /** Writes a line at the level of its kind, or at `debug` after many of that kind in this minute. */
  write(kind: AnswerLineKind, line: object, message: string): void
  /** Counts the refusal of a stranger, by the code of its answer. */
  count(code: string): void
}

/**
 * Once a minute one line has the counts: refusals of strangers by code, and omitted lines by kind. Without any there is
 * no line.
 */
export function createAnswerLog({ log }: { log: Logger }): AnswerLog {
  const written = new Map<AnswerLineKind, number>()
  const refused = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const report = (): void => {
    clearTimeout(timer)
    timer = undefined
    const unwritten = [...written].flatMap(([kind, lines]) =>
      lines > answerLinesPerMinuteMax ? [[kind, lines - answerLinesPerMinuteMax] as const] : [],
    )
    if (refused.size > 0 || unwritten.length > 0) {
      const line = { refused: Object.fromEntries(refused), unwritten: Object.fromEntries(unwritten) }
      log.info(line, 'answered in the past minute')
    }
    written.clear()
    refused.clear()
  }
  const increase = <Key>(counts: Map<Key, number>, key: Key): number => {
    timer ??= setTimeout(report, minuteMs).unref()
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }

  return {
    write: (kind, line, message) => {
      const level = increase(written, kind) <= answerLinesPerMinuteMax ? levels[kind] : 'debug'
      log[level](line, message)
    },
    count: (code) => void increase(refused, code),
    [Symbol.dispose]: report,
  }
}
