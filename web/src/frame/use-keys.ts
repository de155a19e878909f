import { useEffect, useEffectEvent } from 'react'

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

/** The keyboard shortcuts of every page. They do nothing under an open dialog, which may be a sign-in. */
export function useKeys({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (event.defaultPrevented) return
    const isSearch = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
    const isHelp = key === '?' && !ctrlKey && !metaKey && !isTyping(target)
    const isCovered = document.querySelector('dialog:modal') !== null
    if (isSearch || (isHelp && !isCovered)) event.preventDefault()
    if (isCovered) return
    if (isSearch) onSearch()
    else if (isHelp) onHelp()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}
