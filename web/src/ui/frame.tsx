import type { ReactNode } from 'react'
import { LanguageSwitch } from '../language/language-switch.tsx'
import classes from './frame.module.css'
import icon from './icon.svg'

/** What surrounds every page. */
export function Frame({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  return (
    <div className={classes.frame}>
      <header className={classes.bar}>
        <span className={classes.mark}>
          <img src={icon} alt="" width="28" height="28" />
          Numera
        </span>
        <LanguageSwitch />
      </header>
      <main className={classes.main}>{children}</main>
      <footer className={classes.foot}>{footer}</footer>
    </div>
  )
}
