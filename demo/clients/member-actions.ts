import { demoPeople } from '../../src/people/identity/demo/demo-people.ts'
import { openDemoBrowser } from './demo-browser.ts'
import type { DemoAction, DemoInProgress } from './demo-scene.ts'

/** A developer who has left. The demo identity does not offer them; the number is one of the Tax Agency's, too. */
export const formerDeveloper = { personalNumber: '189001059808', name: 'Karin Testberg' }

/** How many days ago a connection that has now expired was signed: a year and a day. */
export function daysOfExpired(today: Temporal.PlainDate): number {
  return today.subtract({ years: 1, days: 1 }).until(today, { largestUnit: 'days' }).days
}

function membersPath({ companies }: DemoInProgress): string {
  return `/console/companies/${companies.ekeby.companyId}/members`
}

async function invite(
  demo: DemoInProgress,
  { personalNumber }: { personalNumber: string },
  role: 'developer' | 'reader',
  label: string,
): Promise<string> {
  const owner = await openDemoBrowser(demo.url, demoPeople.owner)
  const body = { personal_number: personalNumber, role, label }
  return (await owner.send<{ member_id: string }>('POST', membersPath(demo), body)).member_id
}

/**
 * Members of the first company: a developer, a reader, a developer who has left, and two people who have not accepted
 * their invitation, one by personal number and one by link.
 */
export function memberActions(today: Temporal.PlainDate): DemoAction[] {
  const first = daysOfExpired(today)
  let formerId: string | undefined
  return [
    {
      daysAgo: first,
      at: '08:30',
      run: async (demo) => {
        await invite(demo, demoPeople.developer, 'developer', 'Elin, reports')
        formerId = await invite(demo, formerDeveloper, 'developer', 'Karin, web shop')
      },
    },
    {
      daysAgo: 150,
      at: '16:20',
      run: async (demo) => {
        const owner = await openDemoBrowser(demo.url, demoPeople.owner)
        await owner.send('DELETE', `${membersPath(demo)}/${formerId}`)
      },
    },
    {
      daysAgo: 60,
      at: '09:40',
      run: async (demo) => {
        await invite(demo, demoPeople.reader, 'reader', 'Johan, accounts')
        await openDemoBrowser(demo.url, demoPeople.reader)
      },
    },
    {
      daysAgo: 2,
      at: '10:15',
      run: async (demo) => {
        await invite(demo, demoPeople.invited, 'developer', 'Greta, starts on Monday')
        const owner = await openDemoBrowser(demo.url, demoPeople.owner)
        await owner.send('POST', `/console/companies/${demo.companies.ekeby.companyId}/invitations`, {
          role: 'reader',
          label: 'The auditor',
        })
      },
    },
  ]
}
