/**
 * The part of curl that the demo's printed commands and the guides' scripts use, for a machine without it:
 * `URL [-s] [-S] [-i] [-u name:password] [-H header | -H @file]
 * [-d body … | --data-urlencode name=value | --data-binary @file] [-o file] [-w '%{http_code}']`. It tries once.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    include: { type: 'boolean', short: 'i', default: false },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    user: { type: 'string', short: 'u' },
    data: { type: 'string', short: 'd', multiple: true, default: [] },
    'data-urlencode': { type: 'string', multiple: true, default: [] },
    'data-binary': { type: 'string' },
    output: { type: 'string', short: 'o' },
    'write-out': { type: 'string', short: 'w', default: '' },
    'max-time': { type: 'string' },
    retry: { type: 'string' },
    'retry-all-errors': { type: 'boolean' },
  },
  allowPositionals: true,
})
const lines = values.header.flatMap((header) =>
  header.startsWith('@') ? readFileSync(header.slice(1), 'utf8').trim().split(/\r?\n/) : header,
)
const headers = new Headers(
  lines.map((line): [string, string] => [line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1).trim()]),
)
if (values.user !== undefined) {
  headers.set('authorization', `Basic ${Buffer.from(values.user).toString('base64')}`)
}
const encoded = values['data-urlencode'].map((pair) => {
  const [name = '', ...value] = pair.split('=')
  return `${name}=${encodeURIComponent(value.join('='))}`
})
const form = [...values.data, ...encoded]
const binary = values['data-binary']
const body =
  binary !== undefined ? readFileSync(binary.slice(1)) : form.length > 0 ? form.join('&') : undefined
if (body !== undefined && !headers.has('content-type')) {
  headers.set('content-type', 'application/x-www-form-urlencoded')
}
const answer = await fetch(
  positionals[0]!,
  body === undefined ? { headers } : { method: 'POST', headers, body },
)
if (values.include) {
  process.stdout.write(`HTTP/1.1 ${answer.status} ${answer.statusText}\r\n`)
  for (const [name, value] of answer.headers) process.stdout.write(`${name}: ${value}\r\n`)
  process.stdout.write('\r\n')
}
const text = await answer.text()
if (values.output === undefined) process.stdout.write(text)
else writeFileSync(values.output, text)
process.stdout.write(values['write-out'].replace('%{http_code}', String(answer.status)))
