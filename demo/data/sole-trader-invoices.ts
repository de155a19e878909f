import { daysThrough, type DemoPlan } from './demo-plan.ts'
import { inKronor } from './kronor.ts'
import { numbersFrom, pickOne } from './seeded-numbers.ts'

const work = ['Portrait', 'Wedding', 'Product pictures', 'Workshop']

/** Everything that a photographer has invoiced so far: they join on the day of the demo, and send it all in one file. */
export function invoicesCsv(plan: DemoPlan): Buffer {
  const lines = daysThrough(plan.rowsFrom, plan.today.subtract({ days: 1 })).flatMap((day) => {
    const next = numbersFrom(`${plan.seed} photographer ${day}`)
    if (day.dayOfWeek > 5 || next(5) !== 0) return []
    const ore = BigInt(350_000 + next(60) * 25_000)
    return [`${day},${pickOne(work, next)},${inKronor(ore)}`]
  })
  return Buffer.from(['invoiced,work,amount', ...lines, ''].join('\n'))
}
