import { execFile } from 'node:child_process'
import { cp, mkdtempDisposable, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runMain } from '../../../testing/in-process/run-main.ts'
import { createTestDatabase } from '../../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'

test('a shell completes commands, and numera says its version', async () => {
  const [completed, version] = await Promise.all([
    runMain(['complete', '--', 'delivery', '']),
    runMain(['--version']),
  ])
  expect(completed.out).toMatch(/^list\b/m)
  expect(completed.out).toMatch(/^show\b/m)
  expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a personal number is read from standard input', async () => {
  await using database = await createTestDatabase()
  const environment = { DATABASE_URL: database.url, NUMERA_MASTER_KEY: testMasterKey }
  const company = ['--orgnr', '556016-0680', '--name', 'Bageriet AB']
  expect((await runMain(['company', 'add', ...company], environment)).code).toBe(0)
  const member = await runMain(
    ['member', 'add', '--company', '5560160680', '--personal-number', '-', '--role', 'owner', '--json'],
    environment,
    '19811218-9876\n',
  )
  expect(JSON.parse(member.out)).toMatchObject({ role: 'owner', name: null })
})

test('the container image, which has no demo, says its version and lists its commands', async () => {
  await using image = await mkdtempDisposable(join(tmpdir(), 'numera-image-'))
  const root = join(import.meta.dirname, '../../..')
  for (const part of ['src', 'migrations', 'docs', 'package.json'])
    await cp(join(root, part), join(image.path, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(image.path, 'node_modules'))
  const main = join(image.path, 'src/main.ts')
  const version = await promisify(execFile)(process.execPath, [main, '--version'])
  const help = await promisify(execFile)(process.execPath, [main, '--help'])
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(help.stdout).toMatch(/^ {2}serve\b/m)
  expect(help.stdout).not.toMatch(/^ {2}demo\b/m)
})
