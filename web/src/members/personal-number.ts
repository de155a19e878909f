const form = /^(?:(\d{2})?(\d{6}))([-+]?)(\d{4})$/

/** Luhn: every other digit twice, and the sum of all digits ends in 0. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/**
 * Whether a text may be a personal number, so that a slip is said before it is sent: twelve digits, or ten with a sign
 * between, and the right last one. The service looks at the day too.
 */
export function looksLikePersonalNumber(text: string): boolean {
  const parts = form.exec(text.trim())
  if (parts === null) return false
  const [, century, day = '', sign, serial = ''] = parts
  return (century !== undefined || sign !== '') && passesLuhn(day + serial)
}
