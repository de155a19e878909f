/** Of a draft's filter. */
interface Written {
  comparison: string
  value: string
  quoted?: true
}

/** The values that are written; undefined for what is to be JSON and is no text of it. */
export function valuesOf({ comparison, value, quoted }: Written): (string | undefined)[] {
  const written = comparison === 'in' ? value.split('\n').filter((line) => line !== '') : [value]
  return quoted === true ? written.map(unquoted) : written
}

function unquoted(written: string): string | undefined {
  try {
    const value: unknown = JSON.parse(written)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
