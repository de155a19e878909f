/** Keys that were pressed before what acts on them had loaded. */
let held: KeyboardEvent[] | undefined

/** Keys that are held at most; more than a person types while a page loads. */
const heldMax = 100
/** Older keys are not acted upon: the person has done other things since, such as signing in. In milliseconds. */
const heldMsMax = 15_000

function hold(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, target } = event
  if (held === undefined || held.length === heldMax) return
  // What is typed into a field is not lost.
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null)
    return
  const isSearch = key.toLowerCase() === 'k' && (ctrlKey || metaKey)
  if (key.length > 1 || ((ctrlKey || metaKey) && !isSearch)) return
  // The browser's own shortcut.
  if (isSearch) event.preventDefault()
  held.push(event)
}

/** Holds keys until {@link releaseKeys}. */
export function holdKeys(): void {
  if (held !== undefined) return
  held = []
  addEventListener('keydown', hold, { capture: true })
}

/** Whether keys belong to what is still loading. */
export function holdsKeys(): boolean {
  return held !== undefined
}

/** The keys that were held, in order. */
export function releaseKeys(): readonly KeyboardEvent[] {
  const keys = (held ?? []).filter(({ timeStamp }) => performance.now() - timeStamp < heldMsMax)
  held = undefined
  removeEventListener('keydown', hold, { capture: true })
  return keys
}
