import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

const linesMade = 60_000
const countries = [
  'United Kingdom',
  'Germany',
  'France',
  'EIRE',
  'Spain',
  'Sweden',
  'Norway',
  'Finland',
  'Japan',
  'USA',
]
const descriptions = ['WHITE HANGING HEART', 'SET OF 3, "RETRO" TINS', '', 'LANTERN, CREAM', 'JUMBO BAG']
const prices = ['2.55', '0', '12.75', '0.001', '-11062.06', '3.390', '7.95', '1069.125']

const cell = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Lines in the format of the data set: cancellations, missing customers, days without any, prices of 0 and below. */
const makeLines = (): string => {
  let state = 7
  const pick = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const lines = ['InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country']
  for (let index = 0; index < linesMade; index++) {
    const at = new Date(Date.UTC(2010, 11, 1) + Math.floor((index / linesMade) * 182) * 86_400_000)
    const day = `${at.getUTCFullYear()}-${twoDigits(at.getUTCMonth() + 1)}-${twoDigits(at.getUTCDate())}`
    if (at.getUTCDay() === 6) continue
    const isCancelled = pick(50) === 0
    lines.push(
      [
        `${isCancelled ? 'C' : ''}${536_365 + Math.floor(index / 20)}`,
        String(20_000 + pick(4_000)),
        descriptions[pick(descriptions.length)]!,
        String((isCancelled ? -1 : 1) * (1 + pick(48))),
        `${day} ${twoDigits(pick(24))}:${twoDigits(pick(60))}:00`,
        prices[pick(prices.length)]!,
        pick(4) === 0 ? '' : `${12_346 + pick(5_000)}.0`,
        countries[pick(pick(3) === 0 ? countries.length : 2)]!,
      ]
        .map(cell)
        .join(','),
    )
  }
  return `${lines.join('\n')}\n`
}

/**
 * A shop's invoice lines as a CSV file: the "Online Retail" file that `NUMERA_ONLINE_RETAIL` names (`online-retail.ts` says
 * which one that is), compressed or not, or else a generated one in its format.
 *
 * @param folder where it is written
 */
export const retailFile = async (folder: string): Promise<string> => {
  const file = join(folder, 'online-retail.csv')
  const given = process.env['NUMERA_ONLINE_RETAIL']
  if (given === undefined) await writeFile(file, makeLines())
  else {
    const read = createReadStream(given)
    const write = createWriteStream(file)
    await (given.endsWith('.gz') ? pipeline(read, createGunzip(), write) : pipeline(read, write))
  }
  return file
}
