import { iconShapes, type IconName } from './icon-shapes.ts'

export type { IconName } from './icon-shapes.ts'

/** Decoration next to words with the same meaning, so hidden from screen readers. */
export function Icon({ name, size = 16 }: { name: IconName; size?: 12 | 16 | 20 }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="icon"
    >
      <path d={iconShapes[name]} />
    </svg>
  )
}
