/**
 * Whether a call that is answered with JSON by default is to be answered with CSV: `Accept` names `text/csv`, and gives
 * JSON no greater weight; the same weight only by a wildcard (RFC 9110, 12.5.1). Pure.
 */
export function prefersCsv(accept: string | undefined): boolean {
  const weights = new Map(
    (accept ?? '').split(',').map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [range, weight === undefined ? 1 : Number(weight)] as const
    }),
  )
  const csv = weights.get('text/csv') ?? 0
  const json = weights.get('application/json')
  if (json !== undefined) return csv > json
  return csv > 0 && csv >= (weights.get('application/*') ?? weights.get('*/*') ?? 0)
}
