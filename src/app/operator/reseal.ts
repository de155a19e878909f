import type { AppContext } from '../app-context.ts'
import type { Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordDeploymentEvent } from '../../company/audit/record-deployment-event.ts'
import { retireMasterKeys } from '../../platform/keys/retire-master-keys.ts'
import { addCommand } from './add-command.ts'
import { OperatorError } from './operator-error.ts'
import { forEachSealedTable } from './sealed-tables.ts'

/** How many passes over all tables may find values newly sealed under the previous key. Then the command fails. */
const resealRoundsMax = 20
const pauseMs = 100

export interface Resealed {
  /** How many values were resealed, by table. */
  resealed: Record<string, number>
  /** Fingerprints of the keys that no longer open anything; empty where the current key was already the only one. */
  retired: string[]
}

/**
 * Reseals everything under the current master key and then retires the previous one. Services may run meanwhile with both
 * keys. Concurrent calls are safe, and an interrupted one can be repeated.
 *
 * @throws OperatorError where values are still being sealed under the previous key
 */
export async function reseal(
  context: Pick<AppContext, 'pool' | 'clock' | 'keys' | 'shards'>,
): Promise<Resealed> {
  const resealed: Record<string, number> = {}
  for (let round = 1; round <= resealRoundsMax; round++) {
    await forEachSealedTable(context, async (sealed, on) => {
      resealed[sealed.table] = (resealed[sealed.table] ?? 0) + (await sealed.reseal(on))
    })
    const retired = await retireMasterKeys(context)
    if (retired !== undefined) return record(context, resealed, retired)
    await sleep(pauseMs)
  }
  throw new OperatorError(
    'A process still seals under the previous master key: it runs with it as NUMERA_MASTER_KEY. ' +
      'Restart it with the new key, and the old one as NUMERA_MASTER_KEY_PREVIOUS, and run this again.',
  )
}

/** A call that found nothing to do is no event. */
async function record(
  context: Pick<AppContext, 'pool' | 'clock'>,
  resealed: Resealed['resealed'],
  retiredKeys: Buffer[],
): Promise<Resealed> {
  const retired = retiredKeys.map((each) => each.toString('hex'))
  const values = Object.values(resealed).reduce((sum, count) => sum + count, 0)
  if (values > 0 || retired.length > 0) {
    const details = { values, retired_fingerprints: retired.join(', ') }
    await recordDeploymentEvent(context, context.pool, 'resealed', details)
  }
  return { resealed, retired }
}

/** `reseal` */
export function addResealCommand(program: Command): void {
  addCommand(
    program,
    {
      name: 'reseal',
      description: 'reseal all secrets under NUMERA_MASTER_KEY and retire NUMERA_MASTER_KEY_PREVIOUS',
    },
    async (context) => {
      const { resealed, retired } = await reseal(context)
      const lines = Object.entries(resealed).map(([table, values]) => `${table}: ${values} resealed`)
      const outcome =
        retired.length === 0
          ? 'NUMERA_MASTER_KEY was the only key already.'
          : 'NUMERA_MASTER_KEY is the only key now: NUMERA_MASTER_KEY_PREVIOUS is no longer needed.'
      return { json: { resealed, retired_fingerprints: retired }, text: [...lines, outcome].join('\n') }
    },
  )
}
