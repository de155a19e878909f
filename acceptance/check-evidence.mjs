// Checks the evidence of a figure with nothing of Numera: node check-evidence.mjs EVIDENCE.json [DELIVERY …]
// Recomputes both codes, the hash of the listed rows, every sum, and the SHA-256 of original deliveries, if given.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [path = '', ...originals] = process.argv.slice(2)
let failed = false
function report(what, agrees) {
  failed ||= !agrees
  process.stdout.write(`${agrees ? 'agrees ' : 'DIFFERS'}  ${what}\n`)
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex')
const byBytes = ([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** JSON without white space, keys in code point order. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).toSorted(byBytes)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)}}`
}
/** The first 125 bits of the SHA-256 in Crockford's base32, in five groups. */
function toCode(value) {
  const bits = BigInt(`0x${sha256(canonical(value))}`) >> 131n
  const digits = [...bits.toString(32).padStart(25, '0')].map((digit) => Number.parseInt(digit, 32))
  const letters = digits.map((digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[digit])
  return letters.join('').replaceAll(/.{5}(?=.)/g, '$&-')
}

const places = 100
/** A decimal as a whole number of 10^-100. */
function toScaled(text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,100}))?$/.exec(text)
  const scaled = BigInt(whole + fraction.padEnd(places, '0'))
  return sign === '-' ? -scaled : scaled
}
const combine = {
  sum: (values) => values.reduce((a, b) => a + b, 0n),
  min: (values) => values.reduce((a, b) => (b < a ? b : a)),
  max: (values) => values.reduce((a, b) => (b > a ? b : a)),
}
/** Whether a value is what others come to; null where there are none. */
function comesTo(how, value, parts) {
  const known = parts.filter((part) => part !== null).map(toScaled)
  return value === null ? known.length === 0 : known.length > 0 && combine[how](known) === toScaled(value)
}

function checkReportValue({ deliveries, value, unit, combines, complete }) {
  const counts = deliveries.map((delivery) => delivery.counts)
  const added = deliveries.map((delivery) => delivery.added).filter((each) => each !== null)
  const named = `figure ${value} ${unit} of ${deliveries.length} deliveries`
  if (!complete) process.stdout.write(`-        ${named}: earlier ones are not listed\n`)
  else if (combines !== null) report(`${named}: their ${combines}`, comesTo(combines, value, counts))
  else if (added.length > 0) report(`${named}: what they added`, comesTo('sum', value, added.map(String)))
  else report(named, value === null ? counts.every((each) => each === null) : counts.includes(value))
}

function check(text) {
  const evidence = JSON.parse(text)
  const { format, code, details_code: detailsCode, content, details } = evidence
  report(`format ${format}`, format === 'numera.evidence/1')
  report('the file is in its canonical form', `${canonical(evidence)}\n` === text)
  report(`code ${code}`, toCode(content) === code)
  report(`code with names and rows ${detailsCode}`, toCode(details) === detailsCode)
  checkReportValue(content)
  const known = new Map(content.deliveries.map((delivery) => [delivery.artifact_id, delivery]))
  for (const { artifact_id: id, rows } of details.deliveries) {
    if (rows === null) continue
    report(`rows of ${id}`, sha256(canonical(rows.listed)) === rows.sha256)
    if (rows.more || !rows.adds) continue
    const { value } = known.get(id)
    const gave = rows.listed.map((row) => row.gave)
    report(`${value} is the sum of ${gave.length} rows of ${id}`, comesTo('sum', value, gave))
  }
  for (const file of originals) {
    const found = content.deliveries.find(({ sha256: hash }) => hash === sha256(readFileSync(file)))
    report(`${file} is ${found ? `delivery ${found.artifact_id}` : 'none of the deliveries'}`, found)
  }
}

try {
  check(readFileSync(path, 'utf8'))
} catch (error) {
  report(`cannot be read: ${error.message}`, false)
}
process.exit(failed ? 1 : 0)
