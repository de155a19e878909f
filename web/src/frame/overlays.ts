/** Loads the overlays that the first page did not need. */
export function loadOverlays(): Promise<unknown> {
  return Promise.all([import('./palette.tsx'), import('./keys-dialog.tsx'), import('./sign-in-over.tsx')])
}
