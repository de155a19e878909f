/** Does what the demo's printed commands ask of curl, on a machine that has none: `URL [-s] [-H header] [-d body]`. */
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: {
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
  allowPositionals: true,
})
const headers = new Headers(
  values.header.map((line): [string, string] => [
    line.split(':', 1)[0]!,
    line.slice(line.indexOf(':') + 1).trim(),
  ]),
)
const answer = await fetch(
  positionals[0]!,
  values.data === undefined ? { headers } : { method: 'POST', headers, body: values.data },
)
process.stdout.write(await answer.text())
