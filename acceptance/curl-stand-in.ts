/**
 * Does what the demo's printed commands and the shell sender ask of curl, on a machine that has none:
 * `URL [-s] [-S] [-i] [-H header] [-d body | --data-binary @file]`.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    include: { type: 'boolean', short: 'i', default: false },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    'data-binary': { type: 'string' },
  },
  allowPositionals: true,
})
const headers = new Headers(
  values.header.map((line): [string, string] => [
    line.split(':', 1)[0]!,
    line.slice(line.indexOf(':') + 1).trim(),
  ]),
)
const body = values['data-binary'] === undefined ? values.data : readFileSync(values['data-binary'].slice(1))
const answer = await fetch(
  positionals[0]!,
  body === undefined ? { headers } : { method: 'POST', headers, body },
)
if (values.include) {
  process.stdout.write(`HTTP/1.1 ${answer.status} ${answer.statusText}\r\n`)
  for (const [name, value] of answer.headers) process.stdout.write(`${name}: ${value}\r\n`)
  process.stdout.write('\r\n')
}
process.stdout.write(await answer.text())
