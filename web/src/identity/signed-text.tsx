import type { Language } from '../language/language.ts'
import classes from './signed-text.module.css'

/** A text to be signed, or already signed, exactly as stored. It keeps its own language. */
export function SignedText({ text, language }: { text: string; language?: Language | undefined }) {
  return (
    <blockquote lang={language} className={classes.text}>
      {text}
    </blockquote>
  )
}
