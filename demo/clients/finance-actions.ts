import { demoPeople } from '../../src/people/identity/demo/demo-people.ts'
import { daysThrough, type DemoPlan } from '../data/demo-plan.ts'
import { shopOrders } from '../data/shop-orders.ts'
import { openDemoBrowser } from './demo-browser.ts'
import type { DemoAction, DemoInProgress, DemoSourceName } from './demo-scene.ts'

/** A target is so many per cent of what the same month a year before sold, in whole tens of thousands of kronor. */
const targetPerCent = 116n
const targetStepOre = 1_000_000n

function toReportPath({ companies, sources }: DemoInProgress, source: DemoSourceName): string {
  const { companyId } = companies.ekeby
  return `/console/companies/${companyId}/sources/${sources[source].sourceId}/reports/revenue`
}

/** The months of the current year, with what the shop is to sell in each, in kronor. */
function planTargets(plan: DemoPlan): { month: string; value: string }[] {
  return Array.from({ length: 12 }, (_, index) => {
    const month = Temporal.PlainYearMonth.from({ year: plan.today.year, month: index + 1 })
    const before = month.subtract({ years: 1 })
    const days = daysThrough(before.toPlainDate({ day: 1 }), before.toPlainDate({ day: before.daysInMonth }))
    const ore = days
      .flatMap((day) => [...shopOrders(plan, day).ore.values()])
      .reduce((sum, some) => sum + some, 0n)
    const kronor = (((ore * targetPerCent) / 100n / targetStepOre) * targetStepOre) / 100n
    return { month: month.toString(), value: String(kronor) }
  })
}

async function addNote(
  demo: DemoInProgress,
  person: { personalNumber: string; name: string },
  month: Temporal.PlainYearMonth,
  text: string,
): Promise<void> {
  await using browser = await openDemoBrowser(demo.url, person)
  const body = { grain: 'month', period_start: `${month}-01`, text }
  await browser.send('POST', `${toReportPath(demo, 'ledger')}/notes`, body)
}

/** The first company's revenue of all sources, and of the shop for each of its active users. */
async function pinView(demo: DemoInProgress): Promise<void> {
  const { companies, sources, url } = demo
  const operand = (source: DemoSourceName, metric = 'revenue'): string =>
    `${sources[source].sourceId}.${metric}`
  const search = new URLSearchParams([
    ['line', [operand('shop'), operand('wholesale'), operand('returns')].join()],
    ['line', `${operand('shop')}/${operand('shop', 'active_users')}`],
    ['range', '24m'],
  ])
  await using owner = await openDemoBrowser(url, demoPeople.owner)
  await owner.send('POST', `/console/companies/${companies.ekeby.companyId}/views`, {
    for: 'company',
    name: 'Revenue of the company',
    search: String(search),
    pinned: true,
  })
}

async function nameCountries({ companies, url }: DemoInProgress): Promise<void> {
  const names = Object.entries({ DK: 'Denmark', FI: 'Finland', NO: 'Norway', SE: 'Sweden' })
  await using owner = await openDemoBrowser(url, demoPeople.owner)
  await owner.send('PUT', `/console/companies/${companies.ekeby.companyId}/label-names`, {
    label: 'country',
    expected_revision: 0,
    names: names.map(([value, name]) => ({ value, name })),
  })
}

/**
 * What finance people add to the numbers of the first company: two notes, a year of targets, a pinned view, names of
 * countries.
 */
export function financeActions(plan: DemoPlan): DemoAction[] {
  return [
    {
      daysAgo: 45,
      at: '10:25',
      run: (demo) =>
        addNote(
          demo,
          demoPeople.reader,
          plan.wrongMonth,
          'An invoice was booked twice. The ledger corrected it on the 9th of the next month.',
        ),
    },
    {
      daysAgo: 40,
      at: '13:35',
      run: async (demo) => {
        await using owner = await openDemoBrowser(demo.url, demoPeople.owner)
        const body = { expected_revision: 0, months: planTargets(plan) }
        await owner.send('PUT', `${toReportPath(demo, 'shop')}/targets`, body)
      },
    },
    { daysAgo: 30, at: '14:15', run: pinView },
    { daysAgo: 29, at: '09:40', run: nameCountries },
    {
      daysAgo: 1,
      at: '23:10',
      run: (demo) =>
        addNote(
          demo,
          demoPeople.owner,
          plan.closedMonth,
          'Returns booked late: five days of parcels had been left on a shelf.',
        ),
    },
  ]
}
