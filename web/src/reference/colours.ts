/** Light or dark, as the company's pages keep it (`ui/colours.ts`). */
export type Shown = 'light' | 'dark'

const system = matchMedia('(prefers-color-scheme: dark)')

function readChosen(): string | null {
  try {
    return localStorage.getItem('numera.colours')
  } catch {
    // A browser that stores nothing for this site.
    return null
  }
}

/** What is to be shown now; the document takes it on. */
export function readColours(): Shown {
  const chosen = readChosen()
  const shown =
    chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? ('dark' as const) : ('light' as const)
  document.documentElement.dataset['colours'] = shown
  return shown
}

function follow(): void {
  const shown = readColours()
  // The library reads its own setting once.
  document.body.classList.toggle('dark-mode', shown === 'dark')
  document.body.classList.toggle('light-mode', shown === 'light')
}

/** Follows each change: of the system's, and of what was chosen in another window. */
export function watchColours(): void {
  system.addEventListener('change', follow)
  addEventListener('storage', follow)
}
