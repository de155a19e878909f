/** The length of a channel's name, which no other window can guess. */
const channelBytes = 16

let stop = (): void => undefined

/**
 * Opens the page where a member chooses or creates a sandbox connection, in a window with the member's session. The credential
 * returns over a channel whose name only these two windows know: the reference itself never has a session.
 */
export function requestConnection(onCredential: (credential: string) => void): void {
  stop()
  const name = Array.from(crypto.getRandomValues(new Uint8Array(channelBytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const channel = new BroadcastChannel(`numera-reference-${name}`)
  stop = () => channel.close()
  channel.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string' || !data.startsWith('nsk_')) return
    // The other window waits for this before it closes.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
    channel.postMessage('received')
    stop()
    onCredential(data)
  })
  open(`/sandbox-connection#${name}`, '_blank', 'popup,width=720,height=820')
}
