import { readStored, store } from '../api/browser-storage.ts'

const storageKey = 'numera.reference'

/** How long the reference may take to confirm a credential, in milliseconds. */
const confirmMsMax = 3_000

/** Remembers in this window which reference opened it (`reference/request-connection.ts`). */
export function rememberReference(hash: string): void {
  const name = /^#([0-9a-f]{32})$/.exec(hash)?.[1]
  if (name !== undefined) store('sessionStorage', storageKey, name)
}

/** Whether the reference opened this window to get a credential. */
export function isForReference(): boolean {
  return readStored('sessionStorage', storageKey) !== null
}

/** Sends a credential to the reference. Resolves with whether it was received: the reference may be closed. */
export async function handOver(credential: string): Promise<boolean> {
  const channel = new BroadcastChannel(`numera-reference-${readStored('sessionStorage', storageKey)}`)
  const confirmed = new Promise<boolean>((resolve) => {
    channel.addEventListener('message', () => resolve(true))
    setTimeout(() => resolve(false), confirmMsMax)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
  channel.postMessage(credential)
  try {
    return await confirmed
  } finally {
    channel.close()
  }
}
