import { Fragment, type ReactNode } from 'react'

/**
 * A text with elements instead of its `{{names}}`, so that names chosen by users are never read as markup.
 *
 * @param text as `t(key, { skipInterpolation: true })` gives it
 */
export function fillText(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  // Every second piece is a name.
  return text.split(/\{\{(\w+)\}\}/).map((piece, index) => (
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
