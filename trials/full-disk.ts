import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callMsMax, callOnce, isHonest503, keepCalling, slackMs, told } from './calls.ts'
import { startDatabase, type TrialDatabase } from './database.ts'
import { openRates, openScene, startProcess } from './deployment.ts'
import { checkLedgers, ledgerInvariants, processLives, watchMemory, memoryBounded } from './invariants.ts'
import { createLedger, type Entry, type Ledger } from './ledger.ts'
import type { Course, Trial } from './trial.ts'

const mebibyte = 1_048_576
const diskMb = 256
/** What deliveries may fill. */
const roomMb = { short: 6, long: 24 }
const recoveryMsMax = 30_000
/** The log of the database is soon made anew in place, so that what fills up is mostly the data. */
const settings = { min_wal_size: '32MB', max_wal_size: '48MB', shared_buffers: '32MB' }

const refused = 'a full disk is 503 with Retry-After, and nothing else'
const inTime = 'no call hangs beyond its deadline of 15 s'
const goesOn = 'once there is room, what was refused is taken with the same key'

const freeMb = async (database: TrialDatabase): Promise<number> => {
  const { bavail, bsize } = await statfs(database.folder)
  return (bavail * bsize) / mebibyte
}

/** Fills the disk up with a file, but for some room. */
const layBallast = async (database: TrialDatabase, leaveMb: number): Promise<string> => {
  const path = join(database.folder, 'ballast')
  const bytes = Math.floor((await freeMb(database)) - leaveMb) * mebibyte
  await writeFile(path, Buffer.alloc(Math.max(0, bytes)))
  return path
}

const push = async (course: Course, ledger: Ledger, entry: Entry): Promise<boolean> => {
  const outcome = await ledger.send(entry)
  course.check(refused, outcome.status === 202 || isHonest503(outcome), told(outcome))
  course.check(inTime, outcome.ms <= callMsMax + slackMs, told(outcome))
  return outcome.status === 202
}

/** Pushes until nothing is taken for a while; gives what was refused. */
const fillUp = async (course: Course, database: TrialDatabase, ledger: Ledger): Promise<Entry[]> => {
  const unanswered: Entry[] = []
  const pushing = course.use(
    keepCalling(4, 10, async () => {
      const entry = ledger.next({ rows: unanswered.length > 0 ? 3 : 4_000 })
      if (!(await push(course, ledger, entry))) unanswered.push(entry)
    }),
  )
  const deadline = performance.now() + 60_000
  while (unanswered.length < 20 && performance.now() < deadline) await course.sleep(50)
  await course.sleep(course.short ? 500 : 5_000)
  await pushing.stop()
  course.check(refused, unanswered.length > 0, `nothing was refused; ${await freeMb(database)} MiB are free`)
  return unanswered
}

const untilReady = async (course: Course, url: string): Promise<void> => {
  for (const deadline = performance.now() + recoveryMsMax; performance.now() < deadline;) {
    const { status } = await callOnce(`${url}/health/ready`, { msMax: 3_000 })
    if (status === 200) return
    await course.sleep(100)
  }
}

export const fullDisk: Trial = {
  name: 'full-disk',
  about: `Deliveries fill the file system of the database up, and then room is made.`,
  minutes: 10,
  invariants: [refused, inTime, goesOn, processLives, memoryBounded, ...ledgerInvariants],
  run: async (course) => {
    const database = course.use(await startDatabase({ mebibytesMax: diskMb, settings }))
    const service = await startProcess(course, { databaseUrl: database.url, environment: openRates })
    const { accounts } = await openScene(service)
    const ledger = createLedger(service.url, { push: accounts.push }, course.random('deliveries'))
    const checkMemory = await watchMemory(course, service)
    const room = course.short ? roomMb.short : roomMb.long

    // What was stored stays, so that there are as many rounds as the disk has room for.
    for (let round = 0; course.short ? round < 1 : performance.now() < course.untilMs; round++) {
      if ((await freeMb(database)) < 2 * room) break
      const ballast = await layBallast(database, room)
      const unanswered = await fillUp(course, database, ledger)
      course.inject('full disk')
      course.say(`full: ${(await freeMb(database)).toFixed(1)} MiB free, ${unanswered.length} refused`)
      await rm(ballast)
      if (database.hasEnded()) {
        course.inject('the database ended for want of room, and was started again')
        await database.start()
      }
      await untilReady(course, service.url)
      for (const entry of unanswered) {
        const { status, text } = await ledger.send(entry)
        course.check(goesOn, status === 202, `${entry.key}: ${status} ${text}`)
      }
    }
    await checkMemory()
    await checkLedgers(course, [ledger], service, database)
  },
}
