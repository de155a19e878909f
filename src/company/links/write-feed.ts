import { hash } from 'node:crypto'
import type { AttentionItem } from '../attention/attention-item.ts'
import type { LinkLanguage } from './link.ts'
import type { OpenedLink } from './open-link.ts'

type Sentences = Record<AttentionItem['kind'], (item: AttentionItem, name: string) => string>

const day = (at: Date | null): string => at?.toISOString().slice(0, 10) ?? ''

const sentences: Record<LinkLanguage, { title: string; of: Sentences }> = {
  en: {
    title: 'Needs attention',
    of: {
      source_late: ({ since }, name) => `${name} has not delivered since ${day(since)}`,
      period_corrected: ({ periodStart }, name) =>
        `${name} corrected ${periodStart?.slice(0, 7)} after its end`,
      rows_refused: ({ count }, name) =>
        count === null
          ? `${name}: the last delivery cannot be read`
          : `${name}: refused rows in the last delivery: ${count}`,
      paused_refusing: ({ count }, name) => `${name} is paused; refused calls: ${count}`,
      connection_ends: ({ endsAt }, name) => `The connection ${name} ends on ${day(endsAt)}`,
      credential_ends: ({ endsAt }, name) => `The previous credential of ${name} ends on ${day(endsAt)}`,
      secret_ends: ({ endsAt }, name) => `The previous signing secret of ${name} ends on ${day(endsAt)}`,
      limit_near: ({ limit, count }) => `${count}% of the limit ${limit} is used`,
      parsing_late: ({ count }) => `Deliveries that have waited for an hour to be parsed: ${count}`,
    },
  },
  sv: {
    title: 'Behöver uppmärksamhet',
    of: {
      source_late: ({ since }, name) => `${name} har inte levererat sedan ${day(since)}`,
      period_corrected: ({ periodStart }, name) =>
        `${name} rättade ${periodStart?.slice(0, 7)} efter månadens slut`,
      rows_refused: ({ count }, name) =>
        count === null
          ? `${name}: senaste leveransen går inte att läsa`
          : `${name}: avvisade rader i senaste leveransen: ${count}`,
      paused_refusing: ({ count }, name) => `${name} är pausad; avvisade anrop: ${count}`,
      connection_ends: ({ endsAt }, name) => `Anslutningen ${name} upphör ${day(endsAt)}`,
      credential_ends: ({ endsAt }, name) => `Den tidigare nyckeln till ${name} upphör ${day(endsAt)}`,
      secret_ends: ({ endsAt }, name) =>
        `Den tidigare signeringshemligheten för ${name} upphör ${day(endsAt)}`,
      limit_near: ({ limit, count }) => `${count} % av gränsen ${limit} är använt`,
      parsing_late: ({ count }) => `Leveranser som har väntat i en timme på att tolkas: ${count}`,
    },
  },
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Names have no control characters, but what was stored before that was checked may. */
function escapeXml(text: string): string {
  return text.replaceAll(/[^\P{C}\t\n\p{Cf}]/gu, '').replaceAll(/[&<>"]/g, (sign) => escapes[sign]!)
}

/** The same id for the same item and version, as a UUID of version 8. */
function toId(of: string): string {
  const hex = hash('sha256', of, 'hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What needs attention as an Atom feed (RFC 4287), in the link's language. */
export function writeFeed(
  { linkId, company, language }: Pick<OpenedLink, 'linkId' | 'company' | 'language'>,
  items: readonly AttentionItem[],
  baseUrl: string,
): string {
  const { title, of } = sentences[language]
  const page = escapeXml(`${baseUrl}/companies/${company.companyId}/attention`)
  const name = escapeXml(company.name)
  // Without an instant of its own, since the company is there.
  const updatedOf = ({ since }: AttentionItem): string => (since ?? company.createdAt).toISOString()
  const updated = items.map(updatedOf).reduce((a, b) => (a > b ? a : b), company.createdAt.toISOString())
  const entries = items.map((item) => {
    const sentence = of[item.kind](item, (item.source ?? item.connection)?.name ?? '')
    return `  <entry>
    <id>${toId(`${company.companyId} ${item.key} ${item.version}`)}</id>
    <title>${escapeXml(sentence)}</title>
    <updated>${updatedOf(item)}</updated>
    <link href="${page}"/>
    <category term="${item.kind}"/>
    <content type="text">${escapeXml(sentence)}</content>
  </entry>
`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
  <id>urn:uuid:${linkId}</id>
  <title>${title}: ${name}</title>
  <author><name>${name}</name></author>
  <updated>${updated}</updated>
  <link href="${page}"/>
${entries.join('')}</feed>
`
}
