/** From when on a page counts as left alone: without a press, a key or a movement for so long, in milliseconds. */
const idleAfterMs = 60_000

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

let touchedAtMs = Date.now()

function onTouch(): void {
  touchedAtMs = Date.now()
}

/** Watches for the person. Before anything is called. */
export function watchTouches(): void {
  for (const type of touches) addEventListener(type, onTouch, { capture: true, passive: true })
}

/** Says with a call that the page makes it by itself, so that an open page does not keep a session that no one uses. */
export function idleHeaders(): Record<string, string> {
  return Date.now() - touchedAtMs < idleAfterMs ? {} : { 'x-page-idle': 'yes' }
}
