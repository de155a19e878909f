import { useSyncExternalStore } from 'react'
import { readStored, store } from '../../api/browser-storage.ts'

/** Light or dark: as the system says, or as chosen on this device. */
export const colourChoices = ['system', 'light', 'dark'] as const
export type Colours = (typeof colourChoices)[number]

const storageKey = 'numera.colours'
const listeners = new Set<() => void>()
let current: Colours = 'system'

function show(colours: Colours): void {
  current = colours
  if (colours === 'system') delete document.documentElement.dataset['colours']
  else document.documentElement.dataset['colours'] = colours
}

/** Applies the choice of the last visit. */
export function startColours(): void {
  const stored = readStored('localStorage', storageKey)
  show(colourChoices.find((choice) => choice === stored) ?? 'system')
}

export function chooseColours(colours: Colours): void {
  show(colours)
  store('localStorage', storageKey, colours)
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
