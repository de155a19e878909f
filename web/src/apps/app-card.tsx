import { type Ref, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInstant } from '../language/format-instant.ts'
import { Badge, PlainState } from '../ui/display/badge.tsx'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Section } from '../ui/layout/section.tsx'
import { AppCalls } from './app-calls.tsx'
import classes from './app-card.module.css'
import { AppFacts } from './app-facts.tsx'
import type { App } from './apps-query.ts'
import { EndAccess } from './end-access.tsx'
import type { Twin } from './name-twins.ts'

/** One app: what it may read, what it has called, and the button to end its access. */
export function AppCard({ app, twin, onEnded }: { app: App; twin: Twin; onEnded: () => void }) {
  const { t } = useTranslation('apps')
  const [showsCalls, setShowsCalls] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [hasEnded, setHasEnded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const callsId = useId()
  const which = twin === 'none' ? app.client_name : `${app.client_name}, ${app.redirect_host}`

  // The button that had the focus is gone. While the dialog is open, nothing outside can take the focus.
  useEffect(() => {
    if (hasEnded) heading.current?.focus()
  }, [hasEnded])

  function onClose(ended: boolean): void {
    setAsking(false)
    setHasEnded(ended)
    if (ended) onEnded()
  }

  return (
    <Card>
      <Section>
        <AppTitle app={app} twin={twin} ref={heading} />
        <AppFacts app={app} />
        <Buttons>
          <Button
            aria-expanded={showsCalls}
            aria-controls={showsCalls ? callsId : undefined}
            onClick={() => setShowsCalls(!showsCalls)}
          >
            {t(showsCalls ? 'hideCalls' : 'showCalls')}
            <span className="unseen">: {which}</span>
          </Button>
          {app.state === 'active' && (
            <Button variant="danger" onClick={() => setAsking(true)}>
              {t('end')}
              <span className="unseen">: {which}</span>
            </Button>
          )}
        </Buttons>
      </Section>
      {showsCalls && <AppCalls app={app} id={callsId} />}
      {isAsking && <EndAccess app={app} onClose={onClose} />}
    </Card>
  )
}

/** Its name, and what distinguishes it from apps of the same name. */
function AppTitle({ app, twin, ref }: { app: App; twin: Twin; ref: Ref<HTMLHeadingElement> }) {
  const { t, i18n } = useTranslation('apps')
  const date = formatInstant(i18n.language, app.consented_at)
  return (
    <>
      <div className={classes.title}>
        <h2 ref={ref} tabIndex={-1}>
          <bdi>{app.client_name}</bdi>
          {twin !== 'none' && (
            <span>
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
