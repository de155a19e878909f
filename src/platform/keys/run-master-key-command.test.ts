import { expect, test } from 'vitest'
import { runMasterKeyCommand } from './run-master-key-command.ts'

const key = Buffer.alloc(32, 0xab)
const base64url = key.toString('base64url')

const failure = async (command: string, commandMsMax?: number): Promise<string> => {
  const error = await runMasterKeyCommand(command, { commandMsMax }).then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  expect(error?.name).toBe('ConfigError')
  return error!.message.split('\n')[1]!.trim()
}

test('what a command prints is the key, in either form, with a newline or without', async () => {
  expect(await runMasterKeyCommand(`echo ${key.toString('hex')}`)).toEqual(key)
  expect(await runMasterKeyCommand(`printf ${base64url}`)).toEqual(key)
  expect(
    await runMasterKeyCommand(`printf %s ${Buffer.from(base64url).toString('base64')} | base64 -d`),
  ).toEqual(key)
})

test('it finds what its key store needs, and none of the service’s own secrets', async () => {
  const environment = {
    DATABASE_URL: 'postgresql://secret',
    NUMERA_OIDC_CLIENT_SECRET: 'secret',
    STORED: base64url,
  }
  const command = 'test -z "$DATABASE_URL$NUMERA_OIDC_CLIENT_SECRET" && echo "$STORED"'
  expect(await runMasterKeyCommand(command, { environment })).toEqual(key)
})

test.each([
  ['prints nothing', 'true', 'It printed nothing on standard error'],
  ['prints two keys', `echo ${base64url}; echo ${base64url}`, 'must print 32 bytes'],
  ['prints without an end', `yes ${base64url} | head -c 99999`, 'must print 32 bytes'],
  ['prints a key and fails', `echo ${base64url}; exit 3`, 'ended with exit code 3'],
  ['is killed', 'kill -9 $$', 'ended with SIGKILL'],
  ['is not found', 'no-such-program', 'no-such-program'],
] as const)('a command that %s is refused, without what it printed', async (_what, command, why) => {
  const message = await failure(command)
  expect(message).toMatch(/^NUMERA_MASTER_KEY_COMMAND /)
  expect(message).toContain(why)
  expect(message).not.toContain(base64url)
})

test('its standard error says why it failed, in one line, and shows neither key nor token', async () => {
  const said = `\\033[31mAccessDenied: no access to\n numera/production/master-key\\n+ echo ${base64url}\\nX-Vault-Token: hvs.CAESIJ3kq0aVxw81\\nend`
  const message = await failure(`printf '${said}' >&2; exit 1`)
  expect(message).toContain('AccessDenied: no access to numera/production/master-key + echo … X-Vault-Token:')
  for (const hidden of ['\u001B', 'q6urq']) expect(message).not.toContain(hidden)
  const long = await failure(
    `head -c 990 /dev/zero | tr '\\0' ' ' >&2; printf '%s end' ${base64url}${base64url} >&2; exit 1`,
  )
  expect(long).toMatch(/standard error: (?:… )?end$/)
})

test('a command that hangs is killed at its deadline, with all that it started', async () => {
  const begun = Date.now()
  const message = await failure('sleep 7654 | cat; echo', 300)
  expect(message).toContain('did not end within 0.3 seconds')
  expect(Date.now() - begun).toBeLessThan(5_000)
  await expect(
    runMasterKeyCommand(`pgrep -f 'sleep 765[4]' > /dev/null && echo alive >&2 || echo ${base64url}`),
  ).resolves.toEqual(key)
})
