/** A page counts as idle after this time without input, in milliseconds. */
const idleAfterMs = 60_000

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

let lastInputAtMs = Date.now()

function onInput(): void {
  lastInputAtMs = Date.now()
}

/** Must come before the first call. */
export function watchInput(): void {
  for (const type of inputs) addEventListener(type, onInput, { capture: true, passive: true })
}

/** Marks calls of an idle page, so that they do not prolong a session that no one uses. */
export function idleHeaders(): Record<string, string> {
  return Date.now() - lastInputAtMs < idleAfterMs ? {} : { 'x-page-idle': 'yes' }
}
