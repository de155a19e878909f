import type { Role } from '../src/people/access/role.ts'
import { demoPeople } from '../src/people/identity/demo/demo-people.ts'
import type { IdentifiedPerson } from '../src/people/identity/identity-provider.ts'
import { openDemoBrowser } from './demo-browser.ts'
import type { DemoAct, DemoInMaking } from './demo-scene.ts'

/** Who was a developer until they left: nobody that can be chosen. The number is one of the Tax Agency's too. */
export const formerDeveloper: IdentifiedPerson = { personalNumber: '189001059808', name: 'Karin Testberg' }

/** How many days before `today` the day is on which a year and a day had not passed: a connection of then is expired. */
export function daysOfExpired(today: Temporal.PlainDate): number {
  return today.subtract({ years: 1, days: 1 }).until(today, { largestUnit: 'days' }).days
}

function membersPath({ companies }: DemoInMaking): string {
  return `/console/companies/${companies.ekeby.companyId}/members`
}

async function invite(
  demo: DemoInMaking,
  { personalNumber }: IdentifiedPerson,
  role: Role,
  label: string,
): Promise<string> {
  const owner = await openDemoBrowser(demo.url, demo.owner)
  const body = { personal_number: personalNumber, role, label }
  return (await owner.send<{ member_id: string }>('POST', membersPath(demo), body)).member_id
}

/**
 * Who comes to the first company and who leaves it: a developer and a reader, a developer who is gone by now, and two
 * who were invited and have not come, one by personal number and one by a link.
 */
export function memberActs(today: Temporal.PlainDate): DemoAct[] {
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
        const owner = await openDemoBrowser(demo.url, demo.owner)
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
        const owner = await openDemoBrowser(demo.url, demo.owner)
        await owner.send('POST', `/console/companies/${demo.companies.ekeby.companyId}/invitations`, {
          role: 'reader',
          label: 'The auditor',
        })
      },
    },
  ]
}
