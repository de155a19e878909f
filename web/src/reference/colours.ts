/** Light or dark, as chosen on the company's pages (`ui/style/colours.ts`). */
export type Shown = 'light' | 'dark'

const system = matchMedia('(prefers-color-scheme: dark)')

function readChosen(): string | null {
  try {
    return localStorage.getItem('numera.colours')
  } catch {
    // Storage is blocked for this site.
    return null
  }
}

/** Applies and returns the current colours. */
export function readColours(): Shown {
  const chosen = readChosen()
  const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches)
  const shown = isDark ? 'dark' : 'light'
  document.documentElement.dataset['colours'] = shown
  return shown
}

function follow(): void {
  const shown = readColours()
  // The library reads its own setting only once.
  document.body.classList.toggle('dark-mode', shown === 'dark')
  document.body.classList.toggle('light-mode', shown === 'light')
}

/** Follows changes of the system, and of the choice in other windows. */
export function watchColours(): void {
  system.addEventListener('change', follow)
  addEventListener('storage', follow)
}
