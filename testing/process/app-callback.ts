import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The redirect URI of an app, on this machine. */
export interface AppCallback extends AsyncDisposable {
  redirectUri: string
  /** The next URL that a browser is redirected to, with its query. */
  next(): Promise<URL>
}

export const startAppCallback = async (): Promise<AppCallback> => {
  const came: URL[] = []
  const waiting: ((url: URL) => void)[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>App</title><p>Back at the app.')
    if (url.pathname !== '/callback') return
    const tell = waiting.shift()
    if (tell === undefined) came.push(url)
    else tell(url)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    redirectUri: `${origin}/callback`,
    next: () => {
      const url = came.shift()
      return url === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(url)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
