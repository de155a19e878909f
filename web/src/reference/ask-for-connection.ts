/** How long a name of a channel is, in bytes: no other window guesses it. */
const channelBytes = 16

let stop = (): void => undefined

/**
 * Opens the page on which a member chooses or makes a sandbox connection, in a window of its own with the member's session.
 * Its credential comes back over a channel whose name only these two windows know: this page itself never calls
 * what the session opens.
 */
export function askForConnection(onCredential: (credential: string) => void): void {
  stop()
  const name = Array.from(crypto.getRandomValues(new Uint8Array(channelBytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const channel = new BroadcastChannel(`numera-reference-${name}`)
  stop = () => channel.close()
  channel.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string' || !data.startsWith('nsk_')) return
    // The other window waits for it before it closes.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is its origin's own
    channel.postMessage('taken')
    stop()
    onCredential(data)
  })
  open(`/sandbox-connection#${name}`, '_blank', 'popup,width=720,height=820')
}
