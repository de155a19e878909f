import type { ReactNode } from 'react'
import { LanguageSwitch } from '../language/language-switch.tsx'
import classes from './frame.module.css'
import icon from './icon.svg'

/**
 * What every page stands in.
 *
 * @param who under the content: who is signed in
 */
export const Frame = ({ children, who }: { children: ReactNode; who?: ReactNode }) => (
  <div className={classes.frame}>
    <header className={classes.bar}>
      <span className={classes.mark}>
        <img src={icon} alt="" width="28" height="28" />
        Numera
      </span>
      <LanguageSwitch />
    </header>
    <main className={classes.main}>{children}</main>
    <footer className={classes.foot}>{who}</footer>
  </div>
)
