/** Loads what lies over a page at times, before it is needed. */
export function loadOverlays(): Promise<unknown> {
  return Promise.all([import('./palette.tsx'), import('./keys-dialog.tsx'), import('./sign-in-over.tsx')])
}
