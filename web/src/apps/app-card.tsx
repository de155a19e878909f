import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInstant } from '../language/format-instant.ts'
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
import type { Twin } from './name-twins.ts'

/** One app: what it may see, what it has called, and the button to end its access. */
export function AppCard({
  app,
  twin,
  session,
  onEnded,
}: {
  app: App
  twin: Twin
  session: Session
  onEnded: () => void
}) {
  const { t } = useTranslation('apps')
  const [callsShown, setCallsShown] = useState(false)
  const [asksToEnd, setAsksToEnd] = useState(false)
  const [hasEnded, setHasEnded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const callsId = useId()
  // Of two of one name, a button says which.
  const which = twin === 'none' ? app.client_name : `${app.client_name}, ${app.redirect_host}`
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
        <AppTitle app={app} twin={twin} heading={heading} />
        <AppFacts app={app} />
        <Buttons>
          <Button
            aria-expanded={callsShown}
            aria-controls={callsShown ? callsId : undefined}
            onClick={() => setCallsShown(!callsShown)}
          >
            {t(callsShown ? 'hideCalls' : 'showCalls')}
            <span className="unseen">: {which}</span>
          </Button>
          {isActive && (
            <Button variant="danger" onClick={() => setAsksToEnd(true)}>
              {t('end')}
              <span className="unseen">: {which}</span>
            </Button>
          )}
        </Buttons>
      </Section>
      {callsShown && <AppCalls app={app} id={callsId} />}
      {asksToEnd && <EndAccess app={app} session={session} onClose={onClose} />}
    </Card>
  )
}

/** Its name, and where that is not enough, what tells it apart. */
function AppTitle({
  app,
  twin,
  heading,
}: {
  app: App
  twin: Twin
  heading: RefObject<HTMLHeadingElement | null>
}) {
  const { t, i18n } = useTranslation('apps')
  const date = formatInstant(i18n.language, app.consented_at)
  return (
    <>
      <div className={classes.title}>
        <h2 ref={heading} tabIndex={-1} className={classes.name}>
          <bdi>{app.client_name}</bdi>
          {twin !== 'none' && (
            <span className={classes.twin}>
              {' '}
              <bdi>{app.redirect_host}</bdi>
              {twin === 'date' && `, ${t('since', { date })}`}
            </span>
          )}
        </h2>
        {app.state === 'active' ? <PlainState>{t('active')}</PlainState> : <Badge>{t('ended')}</Badge>}
      </div>
      {twin === 'none' && (
        <p className={`quiet ${classes.host}`}>
          <bdi>{app.redirect_host}</bdi>
        </p>
      )}
    </>
  )
}
