import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  fillIn,
  type CorrectedCopy,
  createCorrectionCommand,
  createCorrectionKey,
} from './correction-command.ts'

const copy: CorrectedCopy = {
  origin: 'https://numera.test',
  channel: 'push',
  sourceId: '01900000-0000-7000-8000-0000000000a1',
  shapeVersion: 3,
  format: 'json',
  key: 'order-batch-20931-corrected-1',
  credential: { kind: 'static' },
}

/** Without openssl: a stand-in for the parts that the command uses. */
const openssl = `command -v openssl >/dev/null || openssl() {
  '${process.execPath}' '${join(import.meta.dirname, '../../../../acceptance/openssl-stand-in.ts')}' "$@"
}
`

/** Prints its arguments, its standard input, and the file that it would send. */
const curl = `curl() {
  printf 'call' >&2; printf ' <%s>' "$@" >&2; echo >&2
  case " $* " in *" -K - "*) cat >&2;; esac
  case " $* " in *oauth/token*) printf '{"access_token":"nat_1","token_type":"Bearer"}';; esac
  for word in "$@"; do case $word in @*) printf 'file: ' >&2; cat "\${word#@}" >&2;; esac; done
}
`

/** The output of the pasted command. */
function paste(command: string, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'numera-corrected-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return execFileSync('sh', ['-euc', `exec 2>&1\n${openssl}${curl}${command}`], {
      cwd: folder,
      env: { ...process.env, NUMERA_SECRET: 'nsk_secret' },
      encoding: 'utf8',
      timeout: 20_000,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('A corrected copy is pushed byte for byte with its new key', () => {
  const rows = [{ amount: '1249.00\'; rm -rf "$HOME" `x`', note: 'END_OF_ROWS\nEND_OF_ROWS', none: null }]
  const command = createCorrectionCommand({ ...copy, rows })
  const said = paste(command)
  expect(said).toContain('<https://numera.test/v1/ingest>')
  expect(said).toContain('header = "Authorization: Bearer nsk_secret"')
  const { none: _, ...sent } = rows[0]!
  expect(JSON.parse(said.slice(said.indexOf('file: ') + 6))).toEqual({
    idempotency_key: 'order-batch-20931-corrected-1',
    shape_version: 3,
    payload: [sent],
  })
})

test.each(['push', 'webhook'] as const)('%s sends nothing while a value has to be filled in', (channel) => {
  const rows = [{ amount: '1', customer: fillIn }]
  const command = createCorrectionCommand({ ...copy, channel, rows })
  expect(() => paste(command)).toThrow(/FILL IN/)
  expect(paste(command.replaceAll(`"${fillIn}"`, '"c-1"'))).toContain('"customer": "c-1"')
})

test('A client gets a token first', () => {
  const said = paste(
    createCorrectionCommand({ ...copy, credential: { kind: 'client', clientId: 'ncl_1' }, rows: [] }),
  )
  expect(said).toContain('user = "ncl_1:nsk_secret"')
  expect(said).toContain('<https://numera.test/oauth/token> <-d> <grant_type=client_credentials>')
  expect(said).toContain('header = "Authorization: Bearer nat_1"')
})

test('A statement is sent whole, from a file in the source’s format', () => {
  const said = paste(createCorrectionCommand({ ...copy, format: 'csv' }), { 'corrected.csv': 'day;amount' })
  expect(said).toContain('<Idempotency-Key: order-batch-20931-corrected-1> <-H> <X-Service-Shape-Version: 3>')
  expect(said).toContain('file: day;amount')
})

test('A webhook’s signature covers the time, the new id and the body', () => {
  const said = paste(
    createCorrectionCommand({
      ...copy,
      channel: 'webhook',
      key: 'order:1-corrected-2',
      rows: [{ amount: '1' }],
    }),
  )
  const [, t, v1] = /Service-Signature: t=(\d+),v1=([\da-f]{64})/.exec(said)!
  const body = said.slice(said.indexOf('file: ') + 6)
  const expected = createHmac('sha256', 'nsk_secret').update(`${t}.order:1-corrected-2.${body}`).digest('hex')
  expect(v1).toBe(expected)
})

test.each<Partial<CorrectedCopy>>([
  { rows: [] },
  {},
  { channel: 'webhook', rows: [] },
  { credential: { kind: 'client', clientId: 'ncl_1' } },
])('No command contains a secret or passes one as an argument', (given) => {
  const command = createCorrectionCommand({ ...copy, ...given })
  expect(command).not.toContain('nsk_')
  expect(command).toContain('"$NUMERA_SECRET"')
  expect(command).not.toMatch(/(curl|openssl)[^|]*NUMERA_(SECRET|TOKEN)/)
})

test('The key of a corrected copy depends on the time, fits its limit, and is safe in a header and a shell', () => {
  const at = '2026-11-21T14:07:09.123Z'
  expect(createCorrectionKey('order-batch-20931', at)).toBe('order-batch-20931-corrected-20261121140709')
  expect(createCorrectionKey('å'.repeat(200), at)).toHaveLength(200)
  expect(createCorrectionKey("o'1 \n", at)).toBe('o_1__-corrected-20261121140709')
})
