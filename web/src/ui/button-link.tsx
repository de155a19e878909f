import { createLink } from '@tanstack/react-router'
import { ButtonAnchor } from './button.tsx'

/** A link to another page that looks like a button: takes `to`, `params` and `search` as `Link` does. */
export const ButtonLink = createLink(ButtonAnchor)
