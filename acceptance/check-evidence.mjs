// Checks the evidence of a figure with nothing of Numera: node check-evidence.mjs EVIDENCE.json [DELIVERY …]
// Recomputes both codes, the hash of the listed rows, every sum, and the SHA-256 of original deliveries, if given.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [path, ...originals] = process.argv.slice(2)
if (path === undefined) {
  console.error('node check-evidence.mjs EVIDENCE.json [DELIVERY …]')
  process.exit(1)
}
let failed = false
function report(agrees, what) {
  failed ||= !agrees
  console.log(`${agrees ? 'agrees ' : 'DIFFERS'}  ${what}`)
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex')
const byBytes = ([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** JSON without white space, keys in code point order. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(byBytes)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)}}`
}
/** The first 125 bits of the SHA-256 in Crockford's base32. */
function toCode(value) {
  const bits = BigInt(`0x${sha256(canonical(value))}`) >> 131n
  const digits = [...bits.toString(32).padStart(25, '0')].map((digit) => Number.parseInt(digit, 32))
  return digits.map((digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[digit]).join('').replaceAll(/.{5}(?=.)/g, '$&-')
}

const places = 40
/** A decimal as a whole number of 10^-40. */
function toScaled(text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
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

function check(text) {
  const evidence = JSON.parse(text)
  const { content, details } = evidence
  report(evidence.format === 'numera.evidence/1', `format ${evidence.format}`)
  report(`${canonical(evidence)}\n` === text, 'the file is in its canonical form')
  report(toCode(content) === evidence.code, `code ${evidence.code}`)
  report(toCode(details) === evidence.details_code, `code of names and rows ${evidence.details_code}`)
  const { deliveries, figure, declaration } = content
  const counts = deliveries.map((delivery) => delivery.counts)
  const named = `figure ${figure.value} ${figure.unit}`
  if (!content.complete) console.log('-        not all deliveries are listed, so they are not added up')
  else if (figure.combines !== null) report(comesTo(figure.combines, figure.value, counts), `${named}: ${figure.combines} of ${deliveries.length} deliveries`)
  else if (deliveries.some(({ added }) => added !== null)) report(comesTo('sum', figure.value, deliveries.map(({ added }) => String(added))), `${named}: what each delivery added`)
  else report(figure.value === null ? counts.every((each) => each === null) : counts.includes(figure.value), `${named}: what one delivery gave`)
  for (const { artifact_id: id, rows } of details.deliveries) {
    if (!rows) continue
    const delivery = deliveries.find((each) => each.artifact_id === id)
    report(sha256(canonical(rows.listed)) === rows.sha256, `rows of ${id}`)
    if (rows.more || !rows.adds) continue
    report(comesTo('sum', delivery.value, rows.listed.map(({ gave }) => gave)), `${delivery.value} is the sum of ${rows.listed.length} rows of ${id}`)
  }
  const hashes = new Map(deliveries.map((delivery) => [delivery.sha256, delivery]))
  for (const file of originals) {
    const found = hashes.get(sha256(readFileSync(file)))
    report(found !== undefined, `${file} is ${found ? `delivery ${found.artifact_id}` : 'none of the deliveries'}`)
  }
  if (declaration.delivers === 'events') report(deliveries.every(({ superseded }) => !superseded), 'no event is replaced')
}

try {
  check(readFileSync(path, 'utf8'))
} catch (error) {
  report(false, `the file cannot be read: ${error.message}`)
}
process.exit(failed ? 1 : 0)
