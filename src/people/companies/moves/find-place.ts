import { setTimeout as sleep } from 'node:timers/promises'
import type { DirectoryContext } from '../../../context.ts'
import { OverloadedError } from '../../../platform/database/overloaded-error.ts'
import { isStuck } from './company-move.ts'
import { selectPlace } from './queries.ts'
import { advanceMove, listMoves } from './transitions.ts'

/**
 * How long a delivery waits for a company that is held, in milliseconds. A company is held for `holdMsMax` at most, so it
 * waits longer only for what undoes a move.
 */
export const placeWaitMsMax = 3_000
const pollMs = 50

/** The shard in which a company accepts deliveries, waiting for it while the company is held. */
export type FindPlace = (companyId: string) => Promise<number>

type PlaceContext = Pick<DirectoryContext, 'acceptPool' | 'clock' | 'log'>

/** Undoes a move that its mover has not finished in time. */
async function undoIfStuck({ acceptPool: pool, clock, log }: PlaceContext, companyId: string): Promise<void> {
  for (const move of await listMoves(pool, companyId)) {
    if (!isStuck(move, clock.now())) continue
    if ((await advanceMove({ pool, clock }, move, 'undone')) === undefined) continue
    log.warn({ companyId, phase: move.phase }, 'a move was undone by a delivery that waited for it')
  }
}

async function poll(context: PlaceContext, companyId: string): Promise<number> {
  for (const untilMs = performance.now() + placeWaitMsMax; ;) {
    const place = await selectPlace.first(context.acceptPool, { companyId })
    if (place === undefined) throw new Error('there is no such company')
    if (place.accepts_in !== null) return place.accepts_in
    if (performance.now() > untilMs) throw new OverloadedError('the company moves to another shard')
    await undoIfStuck(context, companyId)
    await sleep(pollMs)
  }
}

/**
 * One loop for all calls of a process that wait for a company.
 *
 * @throws OverloadedError after `placeWaitMsMax`
 */
export function createFindPlace(context: PlaceContext): FindPlace {
  const polling = new Map<string, Promise<number>>()
  return (companyId) => {
    const known = polling.get(companyId)
    if (known !== undefined) return known
    const place = poll(context, companyId).finally(() => polling.delete(companyId))
    polling.set(companyId, place)
    return place
  }
}
