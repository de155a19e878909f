import type { en } from './sources.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the sources, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Källor',
  intro: 'En källa är ett system som skickar siffror.',
  source: 'Källa',
  channel: 'Kanal, levererar',
  state: 'Läge',
  push: 'Push',
  webhook: 'Webhook',
  events: 'Händelser',
  statements: 'Sammanställningar',
  version: 'fältversion {{version}}',
  lastDelivery: 'Senaste leverans',
  noDelivery: 'Ingen än',
  refused: 'Avvisade rader i den',
  refusedOf: '{{refused}} av {{rows}}',
  notRead: 'inte läst än',
  active: 'Aktiv',
  paused: 'Pausad',
  pausedSince: 'sedan {{when}}',
  form: {
    json: 'JSON',
    json_lines: 'JSON-rader',
    csv: 'CSV',
    sie: 'SIE 4',
  },
  none: 'Ingen källa än',
  noneText:
    'En källa är ett system som skickar siffror: en webbutik, en bokföring, en kassa. Den säger vilka fält raderna har, och vad som räknas ur dem.',
  thisSource: 'Källan',
  id: 'Käll-id',
  made: 'Gjord',
  eventTime: 'Händelsetid',
  fields: 'Fält',
  field: 'Fält',
  type: 'Typ',
  types: { number: 'tal', text: 'text', timestamp: 'tidpunkt', bool: 'sant eller falskt' },
  personal: 'Personuppgift',
  yes: 'ja',
  no: 'nej',
}
