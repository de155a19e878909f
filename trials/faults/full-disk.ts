import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callMsMax, callOnce, isHonest503, callRepeatedly, slackMs, describe } from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { openRates, openScene, startProcess } from '../deployment/deployment.ts'
import {
  checkLedgers,
  ledgerInvariants,
  processLives,
  watchMemory,
  memoryBounded,
} from '../deployment/invariants.ts'
import { createLedger, type Entry, type Ledger } from '../deployment/ledger.ts'
import type { TrialContext, Trial } from '../trial.ts'

const mebibyte = 1_048_576
const diskMb = 256
/** The space that deliveries may fill. */
const spaceMb = { short: 6, long: 24 }
const recoveryMsMax = 30_000
/** A small write-ahead log, so that mostly data fills the disk. */
const settings = { min_wal_size: '32MB', max_wal_size: '48MB', shared_buffers: '32MB' }

const refused = 'a full disk is answered with 503 and Retry-After only'
const inTime = 'no call hangs beyond its deadline of 15 s'
const acceptedLater = 'once there is space, a refused delivery is accepted with the same key'

const freeMb = async (database: TrialDatabase): Promise<number> => {
  const { bavail, bsize } = await statfs(database.folder)
  return (bavail * bsize) / mebibyte
}

/** Fills the disk up to this free space. @returns the file */
const writeBallast = async (database: TrialDatabase, leaveMb: number): Promise<string> => {
  const path = join(database.folder, 'ballast')
  const bytes = Math.floor((await freeMb(database)) - leaveMb) * mebibyte
  await writeFile(path, Buffer.alloc(Math.max(0, bytes)))
  return path
}

const push = async (context: TrialContext, ledger: Ledger, entry: Entry): Promise<boolean> => {
  const outcome = await ledger.send(entry)
  context.check(refused, outcome.status === 202 || isHonest503(outcome), describe(outcome))
  context.check(inTime, outcome.ms <= callMsMax + slackMs, describe(outcome))
  return outcome.status === 202
}

/** Pushes until nothing is accepted for a while. @returns the refused deliveries */
const pushUntilFull = async (
  context: TrialContext,
  database: TrialDatabase,
  ledger: Ledger,
): Promise<Entry[]> => {
  const unanswered: Entry[] = []
  const pushing = context.use(
    callRepeatedly(4, 10, async () => {
      const entry = ledger.next({ rows: unanswered.length > 0 ? 3 : 4_000 })
      if (!(await push(context, ledger, entry))) unanswered.push(entry)
    }),
  )
  const deadline = performance.now() + 60_000
  while (unanswered.length < 20 && performance.now() < deadline) await context.sleep(50)
  await context.sleep(context.short ? 500 : 5_000)
  await pushing.stop()
  context.check(refused, unanswered.length > 0, `nothing was refused; ${await freeMb(database)} MiB are free`)
  return unanswered
}

const waitUntilReady = async (context: TrialContext, url: string): Promise<void> => {
  for (const deadline = performance.now() + recoveryMsMax; performance.now() < deadline;) {
    const { status } = await callOnce(`${url}/health/ready`, { msMax: 3_000 })
    if (status === 200) return
    await context.sleep(100)
  }
}

export const fullDisk: Trial = {
  name: 'full-disk',
  about: 'Deliveries fill the file system of the database, and then space is freed.',
  minutes: 10,
  invariants: [refused, inTime, acceptedLater, processLives, memoryBounded, ...ledgerInvariants],
  run: async (context) => {
    const database = context.use(await startDatabase({ mebibytesMax: diskMb, settings }))
    const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
    const { accounts } = await openScene(service)
    const ledger = createLedger(service.url, { push: accounts.push }, context.random('deliveries'))
    const checkMemory = await watchMemory(context, service)
    const space = context.short ? spaceMb.short : spaceMb.long

    // Stored deliveries stay, so the size of the disk bounds the number of rounds.
    for (let round = 0; context.short ? round < 1 : performance.now() < context.untilMs; round++) {
      if ((await freeMb(database)) < 2 * space) break
      const ballast = await writeBallast(database, space)
      const unanswered = await pushUntilFull(context, database, ledger)
      context.inject('full disk')
      context.log(`full: ${(await freeMb(database)).toFixed(1)} MiB free, ${unanswered.length} refused`)
      await rm(ballast)
      if (database.hasEnded()) {
        context.inject('the database ended for lack of space and was restarted')
        await database.start()
      }
      await waitUntilReady(context, service.url)
      for (const entry of unanswered) {
        const { status, text } = await ledger.send(entry)
        context.check(acceptedLater, status === 202, `${entry.key}: ${status} ${text}`)
      }
    }
    await checkMemory()
    await checkLedgers(context, [ledger], service, database)
  },
}
