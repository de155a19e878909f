import { describe, expect, test } from 'vitest'
import { type ConsoleClient, signIn } from '../testing/process/console-client.ts'
import type { Service } from '../testing/process/start-service.ts'

/** The people of the demo's electronic identity. */
export const people = {
  owner: { personalNumber: '191212121212', name: 'Tolvan Tolvansson' },
  developer: { personalNumber: '189001019802', name: 'Elin Exempel' },
  reader: { personalNumber: '189001029819', name: 'Johan Provberg' },
  invited: { personalNumber: '189001039800', name: 'Greta Provlund' },
  stranger: { personalNumber: '189001049817', name: 'Nils Exempelsson' },
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
type Row = Record<string, any>

interface Ekeby {
  owner: ConsoleClient
  /** The company's pages as its owner reads them. */
  read: (what: string) => Promise<Row>
}

const openEkeby = async ({ url }: Service): Promise<Ekeby> => {
  const owner = await signIn(url, people.owner)
  const { companies } = (await owner.get('/console/session')).body
  const { company_id } = companies.find(({ name }: Row) => name === 'Ekeby Handel AB')
  return {
    owner,
    read: async (what) => (await owner.get(`/console/companies/${company_id}/${what}`)).body,
  }
}

/** The days of an app's calls, and the statuses of their answers. */
const readCalls = async (owner: ConsoleClient, connectionId: string) => {
  const days = new Set<string>()
  const statuses = new Set<number>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/console/apps/${connectionId}/calls?limit=200${cursor && `&cursor=${cursor}`}`
    const { calls, next_cursor } = (await owner.get(path)).body
    for (const { called_at, status } of calls) {
      days.add(called_at.slice(0, 10))
      statuses.add(status)
    }
    cursor = next_cursor
  }
  return { days, statuses }
}

/** The actions of people and apps in a new demo, as its owner reads them. */
export const testDemoPeople = (service: () => Service): void => {
  describe('The made-up people', () => {
    test('The first company has an owner, a developer, a reader, and two open invitations', async () => {
      const { read } = await openEkeby(service())
      const { members } = await read('members')
      const has = members.map(({ name, role, label }: Row) => `${role} ${name ?? label}`)
      expect(has.toSorted()).toEqual([
        'developer Elin Exempel',
        'developer Greta, starts on Monday',
        'owner Tolvan Tolvansson',
        'reader Johan Provberg',
      ])
      expect((await read('invitations'))['invitations']).toMatchObject([
        { role: 'reader', label: 'The auditor' },
      ])
    })

    test('Its connections are in every state', async () => {
      const { read } = await openEkeby(service())
      const connections: Row[] = (await read('connections?limit=200'))['connections']
      const named = (name: string): Row | undefined => connections.find((each) => each['name'] === name)
      expect(named('Old web shop')).toMatchObject({ state: 'expired', credential_kind: 'static' })
      expect(named('Month-end report')).toMatchObject({
        state: 'signed',
        credential_kind: 'client',
        expires_in_days: 12,
      })
      expect(named('Stock planning')).toMatchObject({
        state: 'signed',
        created_by: { name: 'Karin Testberg', is_member: false },
      })
      expect(named('Group reporting')).toMatchObject({
        state: 'signed',
        source: null,
        further_companies: [{ name: 'Norrsken Kaffe AB' }],
      })
      expect(named('Agency dashboard')).toMatchObject({ state: 'revoked' })
      expect(named('Campaign site')).toMatchObject({ state: 'unsigned', signed_at: null })
      expect(named('Web shop, test')).toMatchObject({ state: 'signed', kind: 'sandbox' })
      expect(named('Warehouse screen')).toMatchObject({ state: 'signed', credential_kind: 'static' })
      const previousEnds = named('Warehouse screen')?.['previous_credential_ends_at']
      expect(Date.parse(previousEnds)).toBeGreaterThan(Date.now())
      // Each was signed with the electronic identity, and the signature is stored.
      for (const { state, kind, signature_id } of connections) {
        if (state !== 'unsigned' && kind !== 'demo') expect(signature_id).not.toBeNull()
      }
    })

    test('Its sandbox connection has sent test data', async () => {
      const { read } = await openEkeby(service())
      expect((await read('deliveries?sandbox=true&limit=200'))['deliveries']).toHaveLength(3)
    })

    test('The owner has allowed three apps: one reads each day, one is ended, one is expired', async () => {
      const { owner } = await openEkeby(service())
      const { apps } = (await owner.get('/console/apps')).body
      const named = (name: string): Row => apps.find(({ client_name }: Row) => client_name === name)
      expect(named('Likviditetsprognos')).toMatchObject({ state: 'ended', ended_by: 'expiry' })
      expect(named('Säljtavlan')).toMatchObject({ state: 'ended', ended_by: 'member' })
      const active = named('Bokslutskollen')
      expect(active).toMatchObject({ state: 'active', companies: { every: true } })
      const { days, statuses } = await readCalls(owner, active['connection_id'])
      expect(days.size).toBe(29)
      expect([...statuses].toSorted()).toEqual([200, 403])
    })
  })
}
