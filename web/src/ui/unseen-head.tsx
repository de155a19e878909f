import classes from './unseen-head.module.css'

/** The head of a column of buttons: said, not shown, and within the table however far that reaches over its place. */
export function UnseenHead({ children }: { children: string }) {
  return (
    <span className={classes.place}>
      <span className="unseen">{children}</span>
    </span>
  )
}
