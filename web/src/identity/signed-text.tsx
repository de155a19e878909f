import type { Language } from '../language/language.ts'
import classes from './signed-text.module.css'

/**
 * A text to be signed, or that was, exactly as it is kept; it stays when the page switches its language.
 *
 * @param language of the text, where it is known
 */
export function SignedText({ text, language }: { text: string; language?: Language | undefined }) {
  return (
    <blockquote lang={language} className={classes.text}>
      {text}
    </blockquote>
  )
}
