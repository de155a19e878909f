import type { ReactNode } from 'react'
import classes from './section.module.css'

/** A part of a card with fields that answer one question; its heading names the group. */
export function FieldSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend className={classes.legend}>
        <h2>{title}</h2>
      </legend>
      {children}
    </fieldset>
  )
}
