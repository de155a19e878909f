import { MetricSentence } from '../../company/metric-sentence.tsx'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { useNames } from '../names.ts'
import { useValueName } from '../value-names.ts'
import { usePageMargins } from '../use-page-margins.ts'
import classes from './evidence-document.module.css'
import { DeliveriesTable, EachDelivery } from './evidence-deliveries.tsx'
import { Part } from './evidence-part.tsx'
import type { Evidence } from './evidence-query.ts'

/** The evidence as a document, which is printed as it is shown. */
export function EvidenceDocument({ evidence }: { evidence: Evidence }) {
  const t = useTexts('evidence')
  const format = useFormat()
  const names = useNames()
  const { content, details, code } = evidence
  const { value, unit, period, company, declaration } = content
  const name = names.metric(declaration.metric.metric, details.metric_name)
  const hasMargins = usePageMargins({
    headLeft: `${details.company_name} · ${company.orgnr}`,
    headRight: `${t('title')}: ${name}, ${names.periodOfYear(period.start, period.grain)} · ${details.source_name}`,
    footLeft: `${code} · ${content.as_of}`,
  })
  return (
    <article className={classes.document}>
      {!hasMargins && (
        <p className={classes.printedOnce}>
          {details.company_name} · {company.orgnr} · {code} · {content.as_of}
        </p>
      )}
      <p className={classes.figure}>
        {value === null ? t('nothingKnown') : `${format.figure(value, unit)} ${names.unit(unit)}`}
      </p>
      <Notes evidence={evidence} />
      <Facts>
        <Fact name={t('company')}>
          <bdi>{details.company_name}</bdi>
        </Fact>
        <Fact name={t('orgnr')}>{company.orgnr}</Fact>
        <Fact name={t('source')}>
          <bdi>{details.source_name}</bdi>
        </Fact>
        <Fact name={t('period')}>
          {names.periodOfYear(period.start, period.grain)} (
          {t('days', { days: format.dayRange(period.start, period.end), zone: company.time_zone })})
        </Fact>
        <Labels evidence={evidence} />
        <Fact name={t('asOf')}>
          {format.instant(content.as_of)} <span className="mono">({content.as_of})</span>
        </Fact>
        <Fact name={t('metric')}>
          {name}. <MetricSentence metric={declaration.metric} eventTime={declaration.event_time} />{' '}
          {t(declaration.delivers)}{' '}
          {t('version', { version: details.shape_version, when: format.instant(details.saved_at) })}
        </Fact>
        <Fact name={t('code')}>
          <span className={classes.code}>{code}</span>
          <span className={`small ${classes.line}`}>{t('codeText')}</span>
        </Fact>
        <Fact name={t('detailsCode')}>
          <span className="mono">{evidence.details_code}</span>
        </Fact>
        <Fact name={t('link')}>
          <span className={`small ${classes.link}`}>{details.link}</span>
        </Fact>
      </Facts>
      {content.deliveries.length > 0 && <DeliveriesTable evidence={evidence} />}
      {content.deliveries.length > 0 && <EachDelivery evidence={evidence} />}
      <Part title={t('declaration')}>
        <pre className={classes.declaration}>{JSON.stringify(declaration, null, 2)}</pre>
      </Part>
      <Part title={t('check')} line={t('checkText')} />
    </article>
  )
}

function Notes({ evidence: { content, details } }: { evidence: Evidence }) {
  const t = useTexts('evidence')
  const format = useFormat()
  const { unparsed: count, complete, deliveries } = content
  return (
    <>
      {count > 0 && (
        <Note tone="amber" icon="clock">
          {t('unparsed', { count, number: format.count(count) })}
        </Note>
      )}
      {details.rebuilding && (
        <Note tone="amber" icon="clock">
          {t('rebuilding', { version: details.shape_version })}
        </Note>
      )}
      {!complete && (
        <Note tone="amber" icon="info">
          {t('incomplete', { number: format.count(deliveries.length) })}
        </Note>
      )}
    </>
  )
}

function Labels({ evidence: { content } }: { evidence: Evidence }) {
  const t = useTexts('evidence')
  const nameValue = useValueName()
  const { labels, except, declaration } = content
  if (declaration.metric.group_by.length === 0) return null
  const sentence = (key: 'only' | 'except', [label, values]: [string, string[]]) =>
    t(key, {
      label: isolate(label),
      values: values.map((value) => isolate(nameValue(label, value))).join(', '),
    })
  const parts = [
    ...Object.entries(labels).map((each) => sentence('only', each)),
    ...Object.entries(except).map((each) => sentence('except', each)),
  ]
  return <Fact name={t('labels')}>{parts.length === 0 ? t('allLabels') : parts.join('; ')}</Fact>
}
