import icon from './icon.svg'
import classes from './mark.module.css'

/** The logo and the name. */
export function Mark() {
  return (
    <span className={classes.mark}>
      <img src={icon} alt="" width="24" height="24" />
      Numera
    </span>
  )
}
