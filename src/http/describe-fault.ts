/** SQLSTATE class 22, data exception: the message quotes the value. */
const quotesValue = /^22/

/**
 * What the log may hold of an error. The driver's `detail` and `where` quote the data that was being written, and so
 * does the message of a data exception; an organisation or personal number could be among it.
 */
export const describeFault = (thrown: unknown): Record<string, unknown> => {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { code, constraint, table } = thrown as { code?: unknown; constraint?: unknown; table?: unknown }
  const quotes = typeof code === 'string' && quotesValue.test(code)
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: thrown.name,
    message: quotes ? '(quotes a value)' : thrown.message,
    code,
    constraint,
    table,
    stack: frames.join('\n'),
    cause: thrown.cause === undefined ? undefined : describeFault(thrown.cause),
  }
}
