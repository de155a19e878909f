import { Badge, Button } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../api/ask.ts'
import { formatDay, formatInstant } from '../language/format-instant.ts'
import { Card, Section } from '../page/card.tsx'
import type { Session } from '../session/use-session.ts'
import { AppCalls } from './app-calls.tsx'
import classes from './app-connection.module.css'
import { EndAccess } from './end-access.tsx'

export type App = Answer<'GET /console/apps'>['apps'][number]

/** What a member allows one app, or did. */
export const AppConnection = ({
  app,
  session,
  onEnded,
}: {
  app: App
  session: Session
  onEnded: () => void
}) => {
  const { t, i18n } = useTranslation()
  const [callsShown, setCallsShown] = useState(false)
  const [asksToEnd, setAsksToEnd] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const callsId = useId()
  const isActive = app.state === 'active'
  const day = (instant: string): string => formatDay(i18n.language, instant)

  const facts: [string, React.ReactNode][] = [
    [t('apps.sees'), app.permissions.map((permission) => t(`permission.${permission}.name`)).join(', ')],
    [
      t('apps.companies'),
      app.companies.every
        ? t('apps.every')
        : app.companies.chosen.map(({ company_id, name }) => (
            <bdi key={company_id} className={classes.item}>
              {name}
            </bdi>
          )),
    ],
    ...(app.resources.length === 0
      ? []
      : ([
          [
            t('apps.resources'),
            app.resources.map((resource) => (
              <bdi key={resource} className={classes.item}>
                {resource}
              </bdi>
            )),
          ],
        ] satisfies [string, React.ReactNode][])),
    [t('apps.signed'), day(app.consented_at)],
    app.ended_at === null || app.ended_by === null
      ? [t('apps.ends'), day(app.expires_at)]
      : [t(`apps.endedBy.${app.ended_by}`), day(app.ended_at)],
    [
      t('apps.lastCall'),
      app.last_called_at === null ? t('apps.never') : formatInstant(i18n.language, app.last_called_at),
    ],
  ]

  return (
    <Card>
      <Section>
        <div className={classes.title}>
          <h2 ref={heading} tabIndex={-1} className={classes.name}>
            <bdi>{app.client_name}</bdi>
          </h2>
          <Badge variant="light" tt="none" color={isActive ? 'blue' : 'gray'}>
            {t(isActive ? 'apps.active' : 'apps.ended')}
          </Badge>
        </div>
        <p className={`quiet ${classes.host}`}>
          <bdi>{app.redirect_host}</bdi>
        </p>
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name} className={classes.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className={classes.actions}>
          <Button
            variant="default"
            size="sm"
            aria-expanded={callsShown}
            aria-controls={callsShown ? callsId : undefined}
            onClick={() => setCallsShown(!callsShown)}
          >
            {t(callsShown ? 'apps.hideCalls' : 'apps.showCalls')}
            <span className="unseen">: {app.client_name}</span>
          </Button>
          {isActive && (
            <Button variant="default" size="sm" className={classes.end} onClick={() => setAsksToEnd(true)}>
              {t('apps.end')}
              <span className="unseen">: {app.client_name}</span>
            </Button>
          )}
        </div>
      </Section>
      {callsShown && <AppCalls app={app} id={callsId} />}
      {asksToEnd && (
        <EndAccess
          app={app}
          session={session}
          onClose={(ended) => {
            setAsksToEnd(false)
            if (!ended) return
            onEnded()
            // Its button is gone.
            heading.current?.focus()
          }}
        />
      )}
    </Card>
  )
}
