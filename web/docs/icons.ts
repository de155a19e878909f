/** Shapes on a grid of 16, as the company's pages have them (`web/src/ui/icon.tsx`). */
const shapes: Readonly<Record<string, string>> = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0ZM10.25 10.25l3.25 3.25',
  language:
    'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM2 8h12M8 2c1.7 1.7 2.5 3.7 2.5 6S9.7 12.3 8 14C6.3 12.3 5.5 10.3 5.5 8S6.3 3.7 8 2Z',
  colours:
    'M10.75 8a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  reports: 'M2.5 13.5h11M4.75 11V7.5M8 11V3M11.25 11V5.5',
}

/** A sign beside words that say the same. */
export function iconOf(name: string): string {
  return (
    '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" ' +
    `stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${shapes[name]}"/></svg>`
  )
}
