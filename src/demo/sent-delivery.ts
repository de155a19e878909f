import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../service/context.ts'
import { showDelivery } from '../samples/show-delivery.ts'

export interface SentDelivery {
  companyId: string
  artifactId: string
}

const pollMs = 20

/** Settles when this process has parsed all of them; at once where it parses nothing. */
export async function untilParsed(context: Context, sent: SentDelivery[]): Promise<void> {
  if (context.config.worker.count === 0) return
  for (const { companyId, artifactId } of sent) {
    const isQueued = async (): Promise<boolean> =>
      (await showDelivery(context, companyId, artifactId))?.state === 'queued'
    while (await isQueued()) await sleep(pollMs)
  }
}
