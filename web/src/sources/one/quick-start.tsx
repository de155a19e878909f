import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { type Connection, connectionsQuery } from '../../company/lists.ts'
import { useMetricName } from '../../company/use-known-metrics.ts'
import { useLinks } from '../../company/use-links.ts'
import { writeZoned } from '../../company/zoned-time.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Below } from '../../ui/layout/below.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { CodeBlock, CopyableId } from '../../ui/display/copy.tsx'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Row, Stack } from '../../ui/layout/page.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Select } from '../../ui/controls/select.tsx'
import type { ShapeVersion, ShownSource } from '../declaration.ts'
import { MetricSentence } from '../../company/metric-sentence.tsx'
import { Arrival } from './arrival.tsx'
import { type CodeLanguage, createQuickStartCode, getCodeLanguages } from './quick-start-code.ts'
import classes from './quick-start.module.css'

interface DataProps {
  data: ShownSource
}

/** From a source to its first delivery: who sends, what is sent, and that it was received. */
export function QuickStart({ data }: DataProps) {
  const { source, activity, versions } = data
  const { company_id } = useCompany()
  const isPush = source.channel === 'push'
  const { isPending } = useQuery({ ...connectionsQuery(company_id), enabled: isPush })
  return (
    <div className={classes.columns}>
      <Stack>
        {isPush ? <PushStart data={data} /> : <WebhookStart data={data} />}
        <Below isReady={!isPush || !isPending}>
          <Arrival
            source={source}
            hasLast={activity.last_delivery !== null}
            metric={versions[0]?.metrics[0]?.metric}
          />
        </Below>
      </Stack>
      <About data={data} />
    </div>
  )
}

function FirstStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.step}>
      <h2>1. {title}</h2>
      {children}
    </div>
  )
}

/** The connections that may push to a source now, those bound to it first. */
function getSenders(connections: readonly Connection[], sourceId: string, companyId: string): Connection[] {
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

function PushStart({ data }: DataProps) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const connections = useQuery(connectionsQuery(company_id))
  const { source_id } = data.source
  return (
    <Loaded query={connections}>
      {(list) => {
        const senders = getSenders(list, source_id, company_id)
        if (senders.length > 0) return <ChosenSender data={data} senders={senders} />
        const isUnsigned = list.some(
          ({ state, source }) => state === 'unsigned' && source?.source_id === source_id,
        )
        return (
          <>
            <FirstStep title={t('quick.connection')}>
              <NoConnection data={data} isUnsigned={isUnsigned} />
            </FirstStep>
            <Code data={data} />
          </>
        )
      }}
    </Loaded>
  )
}

/** @param isUnsigned a connection waits for its signature */
function NoConnection({ data: { source, activity }, isUnsigned }: DataProps & { isUnsigned: boolean }) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const kind = activity.last_delivery?.sandbox === false ? 'production' : 'sandbox'
  const search = { source: source.source_id, kind } as const
  const action = isUnsigned ? (
    <ButtonLink {...links.connections} small>
      {t('quick.toConnections')}
    </ButtonLink>
  ) : (
    <ButtonLink {...links.newConnection} search={search} small icon="plus">
      {t('quick.newConnection')}
    </ButtonLink>
  )
  const title = t(isUnsigned ? 'quick.unsigned' : 'quick.noConnection')
  return (
    <Note tone="neutral" icon="connection" title={title} action={action}>
      {t(isUnsigned ? 'quick.unsignedText' : 'quick.noConnectionText')}
    </Note>
  )
}

function ChosenSender({ data, senders }: DataProps & { senders: Connection[] }) {
  const { t } = useTranslation('sources')
  const [chosen, setChosen] = useState<string>()
  const sender = senders.find(({ connection_id }) => connection_id === chosen) ?? senders[0]!
  return (
    <>
      <FirstStep title={t('quick.connection')}>
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
      </FirstStep>
      <Code data={data} sender={sender} />
    </>
  )
}

/** What its deliveries are used for; a warning where they would be the first of their kind. */
function KindNote({ sender, data: { activity } }: DataProps & { sender: Connection }) {
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

function WebhookStart({ data }: DataProps) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  return (
    <>
      <FirstStep title={t('quick.secret')}>
        <p>{t('quick.secretText')}</p>
        <Row>
          <ButtonLink {...links.sourceSettings(data.source.source_id)}>{t('quick.toSecrets')}</ButtonLink>
        </Row>
      </FirstStep>
      <Code data={data} />
    </>
  )
}

const languageNames = { curl: 'curl', typescript: 'TypeScript', python: 'Python', shell: 'Shell' }

function Code({ data: { source, versions }, sender }: DataProps & { sender?: Connection }) {
  const { t } = useTranslation('sources')
  const { time_zone, orgnr } = useCompany()
  const [openedAt] = useState(() => Date.now())
  const [wanted, setWanted] = useState<CodeLanguage>()
  const languages = getCodeLanguages(source.channel)
  const language = languages.find((language) => language === wanted) ?? languages[0]!
  const declaration = versions[0]
  if (declaration === undefined) return null
  const at = writeZoned(openedAt, time_zone)
  const connection = sender && {
    credential_kind: sender.credential_kind,
    isUnbound: sender.source === null,
    ...(sender.further_companies.length > 0 && { orgnr }),
  }
  const parts = createQuickStartCode(language, {
    origin: location.origin,
    source,
    declaration,
    ...(connection && { connection }),
    at,
    key: `try-${at.slice(0, 19).replaceAll(/[^\d]/g, '')}`,
  })
  return (
    <div className={classes.step}>
      <Row spread>
        <h2>2. {t('quick.send')}</h2>
        <Segmented
          label={t('quick.language')}
          value={language}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          onChange={setWanted}
        />
      </Row>
      {parts.map(({ label, code }) => (
        <CodeBlock key={`${language} ${label}`} label={t(`code.${label}`)} code={code} />
      ))}
      <p className="small">{t(source.channel === 'push' ? 'quick.keyText' : 'quick.deliveryIdText')}</p>
    </div>
  )
}

/** The source's ids, fields and metrics. */
function About({ data: { source, versions } }: DataProps) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const { source_id, channel, shape_version } = source
  const path = channel === 'push' ? '/v1/ingest' : `/v1/webhooks/${source_id}`
  return (
    <aside className={classes.about} aria-label={t('thisSource')}>
      <div>
        <h2>{t('thisSource')}</h2>
        <Facts stacked>
          <Fact name={t('id')}>
            <CopyableId id={source_id} label={t('id')} />
          </Fact>
          <Fact name={t('address')}>
            <CopyableId id={`${location.origin}${path}`} label={t('address')} whole />
          </Fact>
          <Fact name={t('versionHead')}>
            <CopyableId id={String(shape_version)} label={t('versionHead')} whole />
          </Fact>
        </Facts>
      </div>
      {versions[0] !== undefined && <Declared version={versions[0]} />}
      <p className="small">
        <Link {...links.changeSource(source_id)}>{t('change')}</Link>
      </p>
    </aside>
  )
}

function Declared({ version: { fields, metrics, event_time } }: { version: ShapeVersion }) {
  const { t } = useTranslation('sources')
  const nameMetric = useMetricName()
  return (
    <>
      <div>
        <h2>{t('fields')}</h2>
        <ul className={classes.fields}>
          {fields.map(({ name, type, personal }) => {
            const marks = [name === event_time && t('isEventTime'), personal && t('isPersonal')]
            return (
              <li key={name}>
                <code>{name}</code>{' '}
                <span className="quiet">{[t(`types.${type}`), ...marks].filter(Boolean).join(', ')}</span>
              </li>
            )
          })}
        </ul>
      </div>
      <div>
        <h2>{t('tabs.metrics')}</h2>
        {metrics.length === 0 && <p className="quiet">{t('metrics.none')}</p>}
        {metrics.map((metric) => (
          <p key={metric.metric} className="quiet">
            <b>{nameMetric(metric.metric)}.</b> <MetricSentence metric={metric} eventTime={event_time} />
          </p>
        ))}
      </div>
    </>
  )
}
