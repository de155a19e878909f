/** The modifier key for shortcuts, as this keyboard labels it. */
export const controlKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '') ? '⌘' : 'Ctrl'
