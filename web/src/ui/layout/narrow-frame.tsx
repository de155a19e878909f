import type { ReactNode } from 'react'
import { isDemo } from '../../api/document-facts.ts'
import { DemoBadge } from '../display/demo-badge.tsx'
import { LanguageSwitch } from '../controls/language-switch.tsx'
import { Mark } from '../display/mark.tsx'
import classes from './narrow.module.css'
import { Row } from './page.tsx'

/** The frame of a page with a single purpose: signing in, consent, an unknown address. */
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
