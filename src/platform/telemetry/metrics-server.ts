import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Telemetry } from './telemetry.ts'

export interface MetricsServer extends AsyncDisposable {
  port: number
}

/**
 * Serves `GET /metrics` for Prometheus on a port of its own, since metrics are for the operator, not for clients. Rejects
 * where it cannot listen.
 */
export async function startMetricsServer(
  telemetry: Pick<Telemetry, 'registry'>,
  address: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    telemetry.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': telemetry.registry.contentType }).end(text),
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
