import { iconShapes, type IconName } from '../src/ui/display/icon-shapes.ts'

/** Decoration next to words with the same meaning, so hidden from screen readers. */
export function toIcon(name: IconName, size = 16): string {
  return (
    `<svg width="${size}" height="${size}" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" ` +
    `stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" class="icon"><path d="${iconShapes[name]}"/></svg>`
  )
}
