import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../service/context.ts'
import { showDelivery } from '../samples/show-delivery.ts'

export interface SentDelivery {
  companyId: string
  artifactId: string
}

const pollMs = 20

/** Settles when this process has read all of them; at once where it reads nothing. */
export async function untilRead(context: Context, sent: SentDelivery[]): Promise<void> {
  if (context.config.worker.count === 0) return
  for (const { companyId, artifactId } of sent) {
    const isQueued = async (): Promise<boolean> =>
      (await showDelivery(context, companyId, artifactId))?.state === 'queued'
    while (await isQueued()) await sleep(pollMs)
  }
}
