import { createLink } from '@tanstack/react-router'
import { ButtonAnchor } from './button.tsx'

/** A link to another page that looks like a button. Takes `to`, `params` and `search` like `Link`. */
export const ButtonLink = createLink(ButtonAnchor)
