/** Cells of made-up orders. The generator is seeded, so that every run has the same rows. */

let state = 1
export function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const countries = ['SE', 'NO', 'DK', 'FI', 'DE', 'FR', 'GB', 'US', 'NL', 'PL']
const yearStart = Date.UTC(2026, 0, 1)

export function randomCountry(): string {
  return countries[random(10)]!
}

export function randomMoment(): string {
  return new Date(yearStart + random(365 * 86_400) * 1_000).toISOString()
}

export function randomAmount(): string {
  return `${random(1_000)}.${String(random(100)).padStart(2, '0')}`
}

export function randomCustomer(): string {
  return `kund-${random(20_000)}@example.se`
}
