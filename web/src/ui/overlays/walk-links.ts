/**
 * The keys of a search dialog: arrows move among its links and commands, a letter returns to the field, and Enter in the field opens the first
 * link, with Ctrl in a new tab. The documents use it too.
 */
export function walkLinks(event: KeyboardEvent, dialog: HTMLElement): void {
  const input = dialog.querySelector('input')!
  const links = [...dialog.querySelectorAll<HTMLElement>('li > :is(a, button)')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    // In the field, Enter already opens the first link.
    const next = Math.max(at, 0) + (event.key === 'ArrowDown' ? 1 : -1)
    if (next <= 0) input.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  } else if (event.key === 'Enter' && at < 0 && !event.isComposing) {
    event.preventDefault()
    const [first] = links
    if (first instanceof HTMLAnchorElement && (event.ctrlKey || event.metaKey))
      open(first.href, '_blank', 'noreferrer')
    else first?.click()
  } else if (at >= 0 && event.key.length === 1 && !hasModifier) {
    input.focus()
  }
}
