import { useEffect, useEffectEvent, useRef } from 'react'
import { holdsKeys, releaseKeys } from './early-keys.ts'

/** How long after `g` the second key may follow, in milliseconds. */
const secondKeyMsMax = 2_000

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}

interface Keys {
  onSearch: () => void
  onHelp: () => void
  /** After `g`: the page of that letter, if there is one. */
  onGo: (letter: string) => void
}

/**
 * The keyboard shortcuts of every page, also those pressed while it was loading. They do nothing under an open dialog, which may be
 * a sign-in.
 */
export function useKeys({ onSearch, onHelp, onGo }: Keys): void {
  const goAtMs = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event
    const isSearch = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
    const isPlain = !ctrlKey && !metaKey && !altKey && !isTyping(target)
    const isHelp = key === '?' && !ctrlKey && !metaKey && !isTyping(target)
    const isCovered = document.querySelector('dialog:modal') !== null
    const isSecond = isPlain && timeStamp - goAtMs.current < secondKeyMsMax
    goAtMs.current = isPlain && key === 'g' && !isSecond ? timeStamp : -Infinity
    if (isSearch || (isHelp && !isCovered)) event.preventDefault()
    if (isCovered) return
    if (isSearch) onSearch()
    else if (isHelp) onHelp()
    else if (isSecond) onGo(key)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && !holdsKeys()) onKey(event)
    }
    addEventListener('keydown', listener)
    const early = releaseKeys()
    const search = early.findIndex(({ ctrlKey, metaKey }) => ctrlKey || metaKey)
    for (const event of search < 0 ? early : early.slice(0, search + 1)) onKey(event)
    // Pressed again, what follows is held for the search.
    if (search >= 0)
      for (const event of early.slice(search + 1)) dispatchEvent(new KeyboardEvent('keydown', event))
    return () => removeEventListener('keydown', listener)
  }, [])
}
