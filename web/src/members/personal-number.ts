const pattern = /^(?:(\d{2})?(\d{6}))([-+]?)(\d{4})$/

/** Luhn: every other digit is doubled, and the sum of all digits ends in 0. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/**
 * Catches typing errors in a personal number: it has twelve digits, or ten with a sign between, and the right check digit.
 * The service also checks the day.
 */
export function looksLikePersonalNumber(text: string): boolean {
  const parts = pattern.exec(text.trim())
  if (parts === null) return false
  const [, century, day = '', sign, serial = ''] = parts
  return (century !== undefined || sign !== '') && passesLuhn(day + serial)
}
