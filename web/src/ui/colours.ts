import { useSyncExternalStore } from 'react'

/** Light or dark: as the system says, or as the person chose on this device. */
export type Colours = 'system' | 'light' | 'dark'

export const colourChoices: readonly Colours[] = ['system', 'light', 'dark']

const storageKey = 'numera.colours'
const listeners = new Set<() => void>()
let current: Colours = 'system'

/** A browser that stores nothing for this site throws. */
function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function show(colours: Colours): void {
  current = colours
  if (colours === 'system') delete document.documentElement.dataset['colours']
  else document.documentElement.dataset['colours'] = colours
}

/** Gives the document the colours of the last visit. */
export function startColours(): void {
  show(colourChoices.find((choice) => choice === readStored()) ?? 'system')
}

export function chooseColours(colours: Colours): void {
  show(colours)
  try {
    localStorage.setItem(storageKey, colours)
  } catch {
    // Then it holds until the page is left.
  }
  for (const listener of listeners) listener()
}

export function useColours(): Colours {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
