import type { ReactNode } from 'react'
import { isDemo } from '../api/document-facts.ts'
import { DemoBadge } from './demo-badge.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Mark } from './mark.tsx'
import classes from './narrow.module.css'
import { Row } from './page.tsx'

/** What surrounds a page that has one thing to say: signing in, consent, an address that nobody knows. */
export function NarrowFrame({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  return (
    <div className={classes.frame}>
      <header className={classes.bar}>
        <Row>
          <Mark />
          {isDemo() && <DemoBadge />}
        </Row>
        <LanguageSwitch />
      </header>
      <main className={classes.main}>{children}</main>
      <footer className={classes.foot}>{footer}</footer>
    </div>
  )
}
