import type { ReactNode } from 'react'
import classes from './card.module.css'

/** A contribution batch on the page; its sections are divided by lines. */
export const Card = ({ children }: { children: ReactNode }) => <div className={classes.card}>{children}</div>

/** A part of a contribution batch. */
export const Section = ({ children, id }: { children: ReactNode; id?: string }) => (
  <div id={id} className={classes.section}>
    {children}
  </div>
)

/** A part of a contribution batch that is asked about as one: its heading names the group of fields. */
export const FieldSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.section}>
    <legend className={classes.legend}>
      <h2>{title}</h2>
    </legend>
    {children}
  </fieldset>
)
