import { expect, test } from 'vitest'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { consentRecord, consentText, type ConsentTerms } from './consent-text.ts'

const terms: ConsentTerms = {
  connectionId: '019bc1e0-0000-7000-8000-000000000001',
  app: { clientId: 'app_4tGv0b7QxWZk1LmR8yNc2D', clientName: 'Rapportappen' },
  redirectHost: 'app.example.com:8443',
  member: { memberId: '019bc1e0-0000-7000-8000-000000000002', name: 'Olivia Ägare' },
  addition: {
    permissions: ['company.read', 'metrics.read'],
    companies: [
      { companyId: '019bc1e0-0000-7000-8000-000000000003', orgnr: '5560125790', name: 'Bageriet AB' },
      { companyId: '019bc1e0-0000-7000-8000-000000000004', orgnr: '5592804784', name: 'Kvarnen AB' },
    ],
    resources: ['https://tools.example.net/mcp'],
  },
  endDate: '2026-04-15',
  adds: false,
}

test('the member reads app, host, permissions, companies, further servers, end and name', () => {
  expect(consentText(terms, 'en', formatOrgnr)).toBe(
    [
      'I allow an app to read my companies’ numbers in Numera.',
      '',
      'App: Rapportappen',
      'I will be sent back to: app.example.com:8443',
      'The app may see:',
      '- my companies: name, organisation number and time zone (company.read)',
      '- their sources and numbers (metrics.read)',
      'Companies:',
      '- Bageriet AB (556012-5790)',
      '- Kvarnen AB (559280-4784)',
      'Its tokens are also for:',
      '- https://tools.example.net/mcp',
      'It ends on 15 April 2026.',
      'Member: Olivia Ägare',
    ].join('\n'),
  )
})

test('the same in Swedish', () => {
  expect(consentText(terms, 'sv', formatOrgnr)).toBe(
    [
      'Jag tillåter en app att läsa mina företags siffror i Numera.',
      '',
      'App: Rapportappen',
      'Jag skickas tillbaka till: app.example.com:8443',
      'Appen får se:',
      '- mina företag: namn, organisationsnummer och tidszon (company.read)',
      '- deras källor och siffror (metrics.read)',
      'Företag:',
      '- Bageriet AB (556012-5790)',
      '- Kvarnen AB (559280-4784)',
      'Dess åtkomst gäller även hos:',
      '- https://tools.example.net/mcp',
      'Det upphör den 15 april 2026.',
      'Medlem: Olivia Ägare',
    ].join('\n'),
  )
})

test('every company includes new ones, and an addition names only what is new', () => {
  const addition = { permissions: [], companies: 'every' as const, resources: [] }
  expect(consentText({ ...terms, addition, adds: true }, 'en', formatOrgnr)).toBe(
    [
      'I allow an app to read more of my companies’ numbers in Numera than it does already.',
      '',
      'App: Rapportappen',
      'I will be sent back to: app.example.com:8443',
      'Further companies:',
      '- all my companies, including new ones',
      'It ends on 15 April 2026, as before.',
      'Member: Olivia Ägare',
    ].join('\n'),
  )
})

test('the record has the contents of the text, as ids and numbers', () => {
  expect(consentRecord(terms)).toEqual({
    kind: 'app_consent',
    connection_id: terms.connectionId,
    client_id: 'app_4tGv0b7QxWZk1LmR8yNc2D',
    client_name: 'Rapportappen',
    redirect_host: 'app.example.com:8443',
    permissions: ['company.read', 'metrics.read'],
    companies: ['5560125790', '5592804784'],
    resources: ['https://tools.example.net/mcp'],
    end_date: '2026-04-15',
    adds: false,
    member_id: terms.member.memberId,
  })
})
