import { Children, type ReactNode } from 'react'
import classes from './card.module.css'

/** A white box on the page. Lines divide its {@link Section}s. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={classes.card}>{children}</div>
}

/** A list of {@link Card}s. */
export function CardList({ children }: { children: ReactNode }) {
  return (
    <ul className={classes.list}>
      {Children.map(children, (card) => (
        <li>{card}</li>
      ))}
    </ul>
  )
}
