/** Gives a control the focus once what was just changed is shown. */
export function focusLater(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}
