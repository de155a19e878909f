import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { type Connection, connectionsQuery } from '../company/lists.ts'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { Badge } from '../ui/badge.tsx'
import { Below } from '../ui/below.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { CodeBlock, CopyableId } from '../ui/copy.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Row, Stack } from '../ui/page.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Select } from '../ui/select.tsx'
import { Arrival } from './arrival.tsx'
import { writeInstant } from './example-row.ts'
import { MetricSentence } from './metric-sentence.tsx'
import { type CodeLanguage, codeLanguages, quickStartCode } from './quick-start-code.ts'
import classes from './quick-start.module.css'
import type { ShownSource } from './source-query.ts'

/** From a source to its first delivery: who sends, what is sent, and that it came. */
export function QuickStart({ data }: { data: ShownSource }) {
  const { source, activity, versions } = data
  const { company_id } = useCompany()
  const isPush = source.delivery_way === 'push'
  const { isPending } = useQuery({ ...connectionsQuery(company_id), enabled: isPush })
  return (
    <div className={classes.columns}>
      <Stack>
        {isPush ? <PushStart data={data} /> : <WebhookStart data={data} />}
        <Below isReady={!isPush || !isPending}>
          <Arrival
            sourceId={source.source_id}
            isPaused={source.state === 'paused'}
            hasLast={activity.last_delivery !== null}
            metric={versions[0]?.metrics[0]?.metric}
          />
        </Below>
      </Stack>
      <About data={data} />
    </div>
  )
}

function Step({ number, title, children }: { number: number; title: string; children?: ReactNode }) {
  return (
    <div className={classes.step}>
      <h2>
        {number}. {title}
      </h2>
      {children}
    </div>
  )
}

/** Those that may push to a source now, those bound to it first. */
export function sendersOf(
  connections: readonly Connection[],
  sourceId: string,
  companyId: string,
): Connection[] {
  return connections
    .filter(
      ({ state, kind, permissions, source, company }) =>
        state === 'signed' &&
        kind !== 'demo' &&
        company.company_id === companyId &&
        permissions.includes('sources.ingest') &&
        (source === null || source.source_id === sourceId),
    )
    .toSorted((a, b) => Number(a.source === null) - Number(b.source === null))
}

function PushStart({ data }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const connections = useQuery(connectionsQuery(company_id))
  return (
    <Loaded query={connections}>
      {(list) => {
        const senders = sendersOf(list, data.source.source_id, company_id)
        return senders.length > 0 ? (
          <ChosenSender data={data} senders={senders} />
        ) : (
          <>
            <Step number={1} title={t('quick.connection')}>
              <NoConnection data={data} isMade={isMade(list, data.source.source_id)} />
            </Step>
            <Code data={data} />
          </>
        )
      }}
    </Loaded>
  )
}

/** One waits for its signature. */
function isMade(connections: readonly Connection[], sourceId: string): boolean {
  return connections.some(({ state, source }) => state === 'made' && source?.source_id === sourceId)
}

function NoConnection({ data: { source, activity }, isMade }: { data: ShownSource; isMade: boolean }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const kind = activity.last_delivery?.sandbox === false ? 'production' : 'sandbox'
  return (
    <Note
      tone="neutral"
      icon="connection"
      title={t(isMade ? 'quick.unsigned' : 'quick.noConnection')}
      action={
        isMade ? (
          <ButtonLink to="/companies/$companyId/connections" params={{ companyId: company_id }} small>
            {t('quick.toConnections')}
          </ButtonLink>
        ) : (
          <ButtonLink
            to="/companies/$companyId/connections/new"
            params={{ companyId: company_id }}
            search={{ source: source.source_id, kind }}
            small
            icon="plus"
          >
            {t('quick.makeConnection')}
          </ButtonLink>
        )
      }
    >
      {t(isMade ? 'quick.unsignedText' : 'quick.noConnectionText')}
    </Note>
  )
}

function ChosenSender({ data, senders }: { data: ShownSource; senders: Connection[] }) {
  const { t } = useTranslation('sources')
  const [chosen, setChosen] = useState(senders[0]!.connection_id)
  const sender = senders.find(({ connection_id }) => connection_id === chosen) ?? senders[0]!
  return (
    <>
      <Step number={1} title={t('quick.connection')}>
        <Row>
          <Select
            label={t('quick.connection')}
            icon="connection"
            value={sender.connection_id}
            options={senders.map(({ connection_id, name, kind }) => ({
              value: connection_id,
              label: kind === 'sandbox' ? `${name} · ${t('quick.sandbox')}` : name,
            }))}
            onChange={setChosen}
          />
          {sender.kind === 'sandbox' && (
            <Badge tone="test" icon="test">
              {t('quick.sandbox')}
            </Badge>
          )}
        </Row>
        <KindNote sender={sender} data={data} />
      </Step>
      <Code data={data} sender={sender} />
    </>
  )
}

/** What becomes of what a connection of its kind sends; a warning where that is not what the source has got so far. */
function KindNote({ sender, data: { activity } }: { sender: Connection; data: ShownSource }) {
  const { t } = useTranslation('sources')
  const last = activity.last_delivery
  const isSandbox = sender.kind === 'sandbox'
  if (isSandbox && last?.sandbox === false) {
    return (
      <Note tone="amber" icon="test" title={t('quick.sandboxMixed')}>
        {t('quick.sandboxMixedText')}
      </Note>
    )
  }
  if (!isSandbox && last?.sandbox !== false) {
    return (
      <Note tone="amber" icon="warning" title={t('quick.productionFirst')}>
        {t(last === null ? 'quick.productionFirstText' : 'quick.productionMixedText')}
      </Note>
    )
  }
  return <p className="small">{t(isSandbox ? 'quick.sandboxText' : 'quick.productionText')}</p>
}

function WebhookStart({ data }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const { source } = data
  return (
    <>
      <Step number={1} title={t('quick.secret')}>
        <p>{t('quick.secretText')}</p>
        <Row>
          <ButtonLink
            to="/companies/$companyId/sources/$sourceId/settings"
            params={{ companyId: company_id, sourceId: source.source_id }}
          >
            {t('quick.toSecrets')}
          </ButtonLink>
        </Row>
      </Step>
      <Code data={data} />
    </>
  )
}

const languageNames: Record<CodeLanguage, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  shell: 'Shell',
}

function Code({ data: { source, versions }, sender }: { data: ShownSource; sender?: Connection }) {
  const { t } = useTranslation('sources')
  const { time_zone, orgnr } = useCompany()
  const [openedAt] = useState(() => Date.now())
  const [wanted, setWanted] = useState<CodeLanguage>()
  const languages = codeLanguages(source.delivery_way)
  const language = wanted !== undefined && languages.includes(wanted) ? wanted : languages[0]!
  const declaration = versions[0]
  if (declaration === undefined) return null
  const at = writeInstant(openedAt, time_zone)
  const parts = quickStartCode(language, {
    origin: location.origin,
    source,
    declaration,
    ...(sender !== undefined && {
      connection: {
        credential_kind: sender.credential_kind,
        isUnbound: sender.source === null,
        ...(sender.further_companies.length > 0 && { orgnr }),
      },
    }),
    at,
    key: `try-${at.slice(0, 19).replaceAll(/[^\d]/g, '')}`,
  })
  return (
    <div className={classes.step}>
      <div className={classes.head}>
        <h2>2. {t('quick.send')}</h2>
        <Segmented
          label={t('quick.language')}
          value={language}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={setWanted}
        />
      </div>
      {parts.map(({ label, code }) => (
        <CodeBlock key={`${language} ${label}`} label={t(`code.${label}`)} code={code} />
      ))}
      <p className="small">{t(source.delivery_way === 'push' ? 'quick.keyText' : 'quick.deliveryIdText')}</p>
    </div>
  )
}

/** Ids to copy, fields and metrics, beside the code. */
function About({ data: { source, versions } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const known = useKnownMetrics()
  const declaration = versions[0]
  const path = source.delivery_way === 'push' ? '/v1/ingest' : `/v1/webhooks/${source.source_id}`
  return (
    <aside className={classes.about} aria-label={t('thisSource')}>
      <div>
        <h2>{t('thisSource')}</h2>
        <Facts stacked>
          <Fact name={t('id')}>
            <CopyableId id={source.source_id} label={t('id')} />
          </Fact>
          <Fact name={t('address')}>
            <CopyableId id={`${location.origin}${path}`} label={t('address')} whole />
          </Fact>
          <Fact name={t('versionHead')}>
            <CopyableId id={String(source.shape_version)} label={t('versionHead')} whole />
          </Fact>
        </Facts>
      </div>
      {declaration !== undefined && (
        <>
          <div>
            <h2>{t('fields')}</h2>
            <ul className={classes.fields}>
              {declaration.fields.map(({ name, type, personal }) => (
                <li key={name}>
                  <code>{name}</code>{' '}
                  <span className="quiet">
                    {[
                      t(`types.${type}`),
                      name === declaration.event_time && t('isEventTime'),
                      personal && t('isPersonal'),
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h2>{t('tabs.metrics')}</h2>
            {declaration.metrics.length === 0 && <p className="quiet">{t('metrics.none')}</p>}
            {declaration.metrics.map((metric) => (
              <p key={metric.metric} className="quiet">
                <b>{known.find(({ key }) => key === metric.metric)?.name ?? metric.metric}.</b>{' '}
                <MetricSentence metric={metric} eventTime={declaration.event_time} />
              </p>
            ))}
          </div>
        </>
      )}
      <p className="small">
        <Link
          to="/companies/$companyId/sources/$sourceId/change"
          params={{ companyId: company_id, sourceId: source.source_id }}
        >
          {t('change')}
        </Link>
      </p>
    </aside>
  )
}
