import type { ReactNode } from 'react'
import classes from './evidence-document.module.css'

/** A part of the document with its heading. */
export function Part({ title, line, children }: { title: string; line?: string; children?: ReactNode }) {
  return (
    <section className={classes.part}>
      <h2>{title}</h2>
      {line !== undefined && <p className="small">{line}</p>}
      {children}
    </section>
  )
}
