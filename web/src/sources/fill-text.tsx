import { Fragment, type ReactNode } from 'react'

const placeholder = /\{\{(\w+)\}\}/

/**
 * A text with elements in the place of its `{{names}}`: names that others chose are never read as markup.
 *
 * @param text as `t(key, { skipInterpolation: true })` gives it
 */
export function fillText(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  // Each second piece is what stood in the braces.
  return text.split(placeholder).map((piece, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a piece has no name but its place
    <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>
  ))
}

/** "a, b and c", of elements. */
export function joinParts(parts: readonly ReactNode[], and: string): ReactNode {
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- neither has one
    <Fragment key={index}>
      {index > 0 && (index === parts.length - 1 ? ` ${and} ` : ', ')}
      {part}
    </Fragment>
  ))
}
