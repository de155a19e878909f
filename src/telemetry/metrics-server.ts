import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Figures } from './telemetry.ts'

export interface FiguresServer extends AsyncDisposable {
  port: number
}

/** Serves `GET /metrics` for Prometheus on a port of its own: what it tells is for the operator, not for clients. */
export const startFiguresServer = async (
  figures: Pick<Figures, 'registry'>,
  address: { host: string; port: number },
): Promise<FiguresServer> => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    figures.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': figures.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
