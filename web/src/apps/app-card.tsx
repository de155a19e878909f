import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '../session/use-session.ts'
import { Badge, PlainState } from '../ui/badge.tsx'
import { Button, Buttons } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Section } from '../ui/section.tsx'
import { AppCalls } from './app-calls.tsx'
import classes from './app-card.module.css'
import { AppFacts } from './app-facts.tsx'
import type { App } from './apps-query.ts'
import { EndAccess } from './end-access.tsx'

/** One app: what it may see, what it has called, and the button to end its access. */
export function AppCard({ app, session, onEnded }: { app: App; session: Session; onEnded: () => void }) {
  const { t } = useTranslation()
  const [callsShown, setCallsShown] = useState(false)
  const [asksToEnd, setAsksToEnd] = useState(false)
  const [hasEnded, setHasEnded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const callsId = useId()
  const isActive = app.state === 'active'

  // The button that had the focus is gone, and so is the dialog, which let nothing outside it have the focus.
  useEffect(() => {
    if (hasEnded) heading.current?.focus()
  }, [hasEnded])

  function onClose(ended: boolean): void {
    setAsksToEnd(false)
    setHasEnded(ended)
    if (ended) onEnded()
  }

  return (
    <Card>
      <Section>
        <div className={classes.title}>
          <h2 ref={heading} tabIndex={-1} className={classes.name}>
            <bdi>{app.client_name}</bdi>
          </h2>
          {isActive ? <PlainState>{t('apps.active')}</PlainState> : <Badge>{t('apps.ended')}</Badge>}
        </div>
        <p className={`quiet ${classes.host}`}>
          <bdi>{app.redirect_host}</bdi>
        </p>
        <AppFacts app={app} />
        <Buttons>
          <Button
            aria-expanded={callsShown}
            aria-controls={callsShown ? callsId : undefined}
            onClick={() => setCallsShown(!callsShown)}
          >
            {t(callsShown ? 'apps.hideCalls' : 'apps.showCalls')}
            <span className="unseen">: {app.client_name}</span>
          </Button>
          {isActive && (
            <Button variant="danger" onClick={() => setAsksToEnd(true)}>
              {t('apps.end')}
              <span className="unseen">: {app.client_name}</span>
            </Button>
          )}
        </Buttons>
      </Section>
      {callsShown && <AppCalls app={app} id={callsId} />}
      {asksToEnd && <EndAccess app={app} session={session} onClose={onClose} />}
    </Card>
  )
}
