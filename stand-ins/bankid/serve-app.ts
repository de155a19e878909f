import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { appContentPolicy, orderPage, ordersPage, startPage, wrongPage } from './app-page.ts'
import { type Tampering, tamperings } from './completion.ts'
import { madeUpPeople } from './made-up-people.ts'
import type { PhoneOrder, Signer } from './orders.ts'
import type { BankIdStandIn } from './start-bankid-stand-in.ts'

/** Several times the longest valid form. A larger one is answered 413. */
const formBytesMax = 16_384

interface Page {
  status: number
  html: string
}

/** Answered with a page that has the message. */
class Wrong extends Error {
  readonly status: number
  readonly order: PhoneOrder | undefined

  constructor(status: number, message: string, order?: PhoneOrder) {
    super(message)
    this.status = status
    this.order = order
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = ''
  for await (const part of request.setEncoding('utf8') as AsyncIterable<string>) {
    body += part
    if (body.length > formBytesMax) throw new Wrong(413, 'The form is too large.')
  }
  return new URLSearchParams(body)
}

function readSigner(form: URLSearchParams, order: PhoneOrder): Signer {
  const chosen = madeUpPeople.find(({ personalNumber }) => personalNumber === form.get('person'))
  const person = chosen ?? {
    personalNumber: form.get('personal_number') ?? '',
    name: form.get('name')?.trim() ?? '',
  }
  if (!/^\d{12}$/.test(person.personalNumber)) {
    throw new Wrong(400, 'Enter a personal number of twelve digits.', order)
  }
  if (person.name === '' || person.name.length > 100) {
    throw new Wrong(400, 'Enter a name of 1 to 100 characters.', order)
  }
  const ipAddress = form.get('ip_address')?.trim() ?? ''
  if (ipAddress !== '' && isIP(ipAddress) === 0) throw new Wrong(400, 'Enter an IP address.', order)
  const tamper = form.get('tamper') ?? ''
  const risk = form.get('risk')
  return {
    ...person,
    risk: risk === 'moderate' || risk === 'high' ? risk : 'low',
    ...(ipAddress === '' ? {} : { ipAddress }),
    ...(tamper in tamperings ? { tamper: tamper as Tampering } : {}),
  }
}

/** @param text the token, or the link that starts the app */
function readToken(text: string): string {
  return /autostarttoken=([\w-]+)/.exec(text)?.[1] ?? text.trim()
}

/** The pages and forms of the app. */
class App {
  readonly #standIn: Pick<BankIdStandIn, 'phone' | 'orders'>

  constructor(standIn: Pick<BankIdStandIn, 'phone' | 'orders'>) {
    this.#standIn = standIn
  }

  show(path: string): Page {
    if (path === '/') return { status: 200, html: ordersPage(this.#standIn.orders.all()) }
    if (path === '/start') return { status: 200, html: startPage() }
    const orderRef = /^\/orders\/([\w-]+)$/.exec(path)?.[1]
    if (orderRef === undefined) throw new Wrong(404, 'There is no such page.')
    return { status: 200, html: orderPage(this.#find(orderRef)) }
  }

  /** @returns the order whose page comes next */
  async act(path: string, form: URLSearchParams): Promise<PhoneOrder> {
    const text = form.get('text') ?? ''
    if (path === '/scan') return withMessage(() => this.#standIn.phone.scan(text.trim()))
    if (path === '/open') return withMessage(() => this.#standIn.phone.open(readToken(text)))
    const [, orderRef, action = ''] = /^\/orders\/([\w-]+)\/([a-z]+)$/.exec(path) ?? []
    if (orderRef === undefined) throw new Wrong(404, 'There is no such page.')
    const order = this.#find(orderRef)
    await withMessage(() => this.#do(action, order, form), order)
    return order
  }

  async #do(action: string, order: PhoneOrder, form: URLSearchParams): Promise<void> {
    const { phone, orders } = this.#standIn
    const hint = form.get('hint') ?? ''
    if (action === 'scan') phone.scan(orders.qrText(order.orderRef))
    else if (action === 'open') phone.open(orders.autoStartToken(order.orderRef))
    else if (action === 'sign') await order.sign(readSigner(form, order))
    else if (action === 'refuse') order.refuse()
    else if (action === 'hint' && /^\w+$/.test(hint)) order.setHint(hint)
    else if (action === 'fail' && /^\w+$/.test(hint)) order.failWith(hint)
    else throw new Wrong(404, 'There is no such page.')
  }

  #find(orderRef: string): PhoneOrder {
    try {
      return this.#standIn.orders.find(orderRef)
    } catch (error) {
      throw new Wrong(404, (error as Error).message)
    }
  }
}

/** Shows an error of the stand-in's rules on the order's page. */
async function withMessage<Result>(act: () => Result, order?: PhoneOrder): Promise<Awaited<Result>> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof Wrong ? error : new Wrong(409, (error as Error).message, order)
  }
}

/** Against forms of other origins, and host names that are rebound to this machine. */
function requireSameOrigin({ method, headers }: IncomingMessage): void {
  const { host = '', origin } = headers
  if (!/^(localhost|127\.0\.0\.1):\d+$/.test(host)) throw new Wrong(421, 'This page is only at localhost.')
  // With `Referrer-Policy: no-referrer` browsers send `Origin: null`, but also `Sec-Fetch-Site`.
  const isOwn = headers['sec-fetch-site'] === 'same-origin' || origin === `http://${host}`
  if (method === 'POST' && !isOwn) throw new Wrong(403, 'This form is from another site.')
}

async function answer(app: App, request: IncomingMessage): Promise<Page | { location: string }> {
  try {
    requireSameOrigin(request)
    const path = (request.url ?? '/').split('?', 1)[0]!
    if (request.method === 'GET' || request.method === 'HEAD') return app.show(path)
    if (request.method !== 'POST') throw new Wrong(405, 'Only GET and POST are allowed.')
    return { location: `/orders/${(await app.act(path, await readForm(request))).orderRef}` }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    const { status, message, order } = error
    return { status, html: order === undefined ? wrongPage(message) : orderPage(order, message) }
  }
}

async function send(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answered = await answer(app, request)
  const headers = {
    'content-security-policy': appContentPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  }
  if ('location' in answered) {
    response.writeHead(303, { ...headers, location: answered.location }).end()
    return
  }
  response
    .writeHead(answered.status, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    .end(request.method === 'HEAD' ? undefined : answered.html)
}

/** Serves the pages of the app on loopback. */
export async function serveApp(
  standIn: Pick<BankIdStandIn, 'phone' | 'orders'>,
  port = 0,
): Promise<{ url: string } & AsyncDisposable> {
  const app = new App(standIn)
  const server = createServer((request, response) => {
    send(app, request, response).catch(() => request.socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
