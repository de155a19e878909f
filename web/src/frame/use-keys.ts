import { useEffect, useEffectEvent } from 'react'

/** Whether keys are letters there. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

/** Whether something lies over the page already, which may be signing in. */
function isCovered(): boolean {
  return document.querySelector('dialog:modal') !== null
}

/** The keys that do the same on every page. */
export function useKeys({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented) return
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) {
      // Nor is it the browser's own search.
      event.preventDefault()
      if (!isCovered()) onSearch()
    } else if (
      event.key === '?' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !isTyping(event.target) &&
      !isCovered()
    ) {
      event.preventDefault()
      onHelp()
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}
