/** An amount in öre as kronor, with two decimals. */
export function inKronor(ore: bigint): string {
  const digits = String(ore < 0n ? -ore : ore).padStart(3, '0')
  return `${ore < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
