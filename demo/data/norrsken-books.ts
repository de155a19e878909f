import { daysThrough, type DemoPlan } from './demo-plan.ts'
import { inKronor } from './kronor.ts'
import { coffeeOrders, registerSales } from './norrsken-sales.ts'

type Day = Temporal.PlainDate

/** SIE 4, section 3, "Character set": code page 437, of which Swedish needs these. */
const codePage437: Record<string, string> = {
  å: '\x86',
  ä: '\x84',
  ö: '\x94',
  Å: '\x8f',
  Ä: '\x8e',
  Ö: '\x99',
}

function inCodePage437(text: string): Buffer {
  const mapped = text.replaceAll(/[^\0-\x7f]/g, (character) => codePage437[character]!)
  return Buffer.from(mapped, 'latin1')
}

/** A day's vouchers: what the bank account gets and, as a credit with a minus sign, what was sold. */
function voucher(number: number, day: Day, text: string, account: string, ore: bigint): string[] {
  return [
    `#VER "A" ${number} ${day.toString().replaceAll('-', '')} "${text}"`,
    '{',
    `   #TRANS 1930 {} ${inKronor(ore)}`,
    `   #TRANS ${account} {} ${inKronor(-ore)}`,
    '}',
  ]
}

/** A SIE 4 export of the days to `through`, from the first one of its month if no other is given. */
export function sieExport(plan: DemoPlan, through: Day, from = through.with({ day: 1 })): Buffer {
  const lines: string[] = []
  let number = 0
  for (const day of daysThrough(from, through)) {
    lines.push(...voucher(++number, day, 'Dagskassa', '3001', registerSales(plan, day).ore))
    const { ore } = coffeeOrders(plan, day)
    if (ore > 0n) lines.push(...voucher(++number, day, 'Försäljning till företag', '3041', ore))
  }
  const made = through.toString().replaceAll('-', '')
  const file = [
    '#FLAGGA 0',
    '#PROGRAM "Numera" "demo"',
    '#FORMAT PC8',
    `#GEN ${made}`,
    '#SIETYP 4',
    '#FNAMN "Norrsken Kaffe AB"',
    '#ORGNR 559999-0024',
    `#RAR 0 ${through.year}0101 ${through.year}1231`,
    '#KONTO 1930 "Företagskonto"',
    '#KONTO 3001 "Försäljning inom Sverige"',
    '#KONTO 3041 "Försäljning till företag"',
    ...lines,
    '',
  ]
  return inCodePage437(file.join('\r\n'))
}
