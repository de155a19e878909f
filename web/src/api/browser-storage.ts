type Area = 'localStorage' | 'sessionStorage'

// Both areas throw where the browser blocks them for this site. Then nothing is stored.

export function readStored(area: Area, key: string): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** @param value null removes it */
export function store(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // Blocked.
  }
}
