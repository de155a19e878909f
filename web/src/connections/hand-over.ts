const storageKey = 'numera.reference'

/** How long the reference may take to answer that it took a credential. */
const takenMsMax = 3_000

/** Keeps, for as long as this window is open, which reference opened it (`reference/ask-for-connection.ts`). */
export function rememberReference(hash: string): void {
  const name = /^#([0-9a-f]{32})$/.exec(hash)?.[1]
  if (name === undefined) return
  try {
    sessionStorage.setItem(storageKey, name)
  } catch {
    // A browser that stores nothing for this site: the credential is copied by hand.
  }
}

/** Whether this window was opened by the reference, to bring it a credential. */
export function isForReference(): boolean {
  return readReference() !== null
}

function readReference(): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Gives the reference a credential; whether it took it. One that was left meanwhile takes none. */
export async function handOver(credential: string): Promise<boolean> {
  const channel = new BroadcastChannel(`numera-reference-${readReference()}`)
  const taken = new Promise<boolean>((resolve) => {
    channel.addEventListener('message', () => resolve(true))
    setTimeout(() => resolve(false), takenMsMax)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is its origin's own
  channel.postMessage(credential)
  try {
    return await taken
  } finally {
    channel.close()
  }
}
