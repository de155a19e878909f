import type { ReactNode } from 'react'
import { DemoBadge } from './demo-badge.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Mark } from './mark.tsx'
import classes from './narrow.module.css'
import { Row } from './page.tsx'

/**
 * What surrounds a page that has one thing to say: signing in, consent, an address that nobody knows.
 *
 * @param demo whether the deployment is a demo
 */
export function NarrowFrame({
  children,
  footer,
  demo = false,
}: {
  children: ReactNode
  footer?: ReactNode
  demo?: boolean
}) {
  return (
    <div className={classes.frame}>
      <header className={classes.bar}>
        <Row>
          <Mark />
          {demo && <DemoBadge />}
        </Row>
        <LanguageSwitch />
      </header>
      <main className={classes.main}>{children}</main>
      <footer className={classes.foot}>{footer}</footer>
    </div>
  )
}
