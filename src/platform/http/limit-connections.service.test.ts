import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openRaw, type RawConnection } from '../../../testing/process/raw-connection.ts'
import { limitConnections } from './limit-connections.ts'

let server: Server
let url: string
/** Answers that the server owes, to requests for `/wait`. */
const owed: ServerResponse[] = []
const opened: RawConnection[] = []
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy()
  owed.length = 0
  server.closeAllConnections()
  server.close()
})

const start = async (connectionsMax: number, areFromProxies = false): Promise<void> => {
  server = createServer((request, response) => {
    if (request.url === '/wait') owed.push(response)
    else response.end('done')
  })
  limitConnections(server, { connectionsMax, areFromProxies })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const open = async (network: number): Promise<RawConnection> => {
  const raw = await openRaw(url, `127.0.${network}.1`)
  opened.push(raw)
  return raw
}
const openMany = (count: number, network: number): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => open(network)))
const ask = async (raw: RawConnection, path = '/'): Promise<string> => {
  raw.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  return raw.until('done')
}
const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

test('a network that opens more connections than its share loses its own oldest, and no other does', async () => {
  await start(40)
  const neighbour = await open(2)
  const many = await openMany(30, 1)
  await expect.poll(connections).toBe(11)
  for (const raw of many.slice(-10)) expect(await ask(raw)).toContain('200 OK')
  expect(await ask(neighbour)).toContain('200 OK')
})

test('when all are taken a newcomer gets in, at the cost of the network that holds most', async () => {
  await start(40)
  for (let network = 1; network <= 4; network++) await openMany(10, network)
  for (let network = 5; network < 20; network++) expect(await ask(await open(network))).toContain('200 OK')
  expect(await connections()).toBeLessThanOrEqual(40)
})

test('half a head and an unfinished body give way like idle connections', async () => {
  await start(40)
  for (const raw of await openMany(5, 1)) raw.send('GET / HTTP/1.1\r\nHost:')
  for (const raw of await openMany(5, 1))
    raw.send('POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nheld')
  await expect.poll(() => owed.length).toBe(5)
  for (let index = 0; index < 10; index++) expect(await ask(await open(1))).toContain('200 OK')
})

test('a connection that is owed an answer gets it, however many come', async () => {
  await start(40)
  const waiting = await openMany(10, 1)
  for (const raw of waiting) raw.send('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => owed.length).toBe(10)
  const turnedAway = await openMany(5, 1)
  for (const raw of turnedAway) await raw.untilClosed()
  for (const response of owed) response.end('done')
  for (const raw of waiting) expect(await raw.until('done')).toContain('200 OK')
})

test('behind trusted proxies the share of a network is the whole', async () => {
  await start(40, true)
  await openMany(40, 1)
  await expect.poll(connections).toBe(40)
  expect(await ask(await open(1))).toContain('200 OK')
  expect(await connections()).toBeLessThanOrEqual(40)
})
