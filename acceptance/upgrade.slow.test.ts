import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }
import { hasPassed, runTrial } from '../trials/trial.ts'
import {
  checkOutRelease,
  createNextVersion,
  findPreviousRelease,
  findWhyMissing,
  root,
} from './upgrade/checkouts.ts'
import { upgrade, type UpgradeOutcome } from './upgrade/upgrade.ts'

const scratch = await mkdtemp(join(tmpdir(), 'numera-upgrade-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

const upgradeUnderLoad = async (from: string, to: string): Promise<UpgradeOutcome> => {
  let outcome: UpgradeOutcome | undefined
  const report = await runTrial(
    upgrade({ from, to }, (each) => (outcome = each)),
    { seed: 1, short: true, log: (line) => process.stdout.write(`${line}\n`) },
  )
  process.stdout.write(`${JSON.stringify([...report.telemetry])}\n`)
  expect(report.invariants.filter(({ broken }) => broken > 0)).toEqual([])
  expect(hasPassed(report)).toBe(true)
  return outcome!
}

const previous = findPreviousRelease(packageFile.version)
const whyMissing = await findWhyMissing(previous)

test('the release before this version is upgraded to it under load, and nothing fails', async ({ skip }) => {
  if (whyMissing !== undefined) skip(whyMissing)
  const { migrated, contractBefore, contractAfter } = await upgradeUnderLoad(
    await checkOutRelease(previous!, scratch),
    root,
  )
  expect(migrated).toMatchObject({ code: 0, err: '' })
  if (contractBefore.code !== 0) expect(contractBefore.err).toContain(`\n${previous!.version}: 1 (`)
  expect(contractAfter).toMatchObject({ code: 0, err: '' })
})

test('this version is upgraded under load to one with more migrations, whose contract waits for it', async () => {
  const { version } = packageFile
  const next = await createNextVersion(scratch, '999.0.0', {
    access: ['alter table sessions add column upgraded text;'],
    shard: [
      `alter table deliveries add column upgraded text;`,
      `create index concurrently deliveries_by_upgrade on deliveries (upgraded) where upgraded is not null;`,
      `-- contract: 999.0.0\nalter table deliveries drop column upgraded;`,
    ],
  })
  const { migrated, contractBefore, contractAfter, oldAtEnd } = await upgradeUnderLoad(root, next)
  expect(migrated.out).toMatch(
    /^Applied access\/\d+_upgrade_1, shard_1\/\d+_upgrade_1, shard_1\/\d+_upgrade_2\.\n$/,
  )
  expect(contractBefore).toMatchObject({ code: 1, out: '' })
  expect(contractBefore.err).toContain(`\n${version}: 1 (last seen `)
  expect(contractAfter.out).toMatch(/^Applied shard_1\/\d+_upgrade_3\.\n$/)
  expect(oldAtEnd).toMatchObject({ code: 1, out: '' })
  expect(oldAtEnd.err).toContain(
    `_upgrade_3 of release 999.0.0, and this process is of ${version}: start release 999.0.0`,
  )
})
