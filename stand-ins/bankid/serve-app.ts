import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { appContentPolicy, orderPage, ordersPage, startPage, wrongPage } from './app-page.ts'
import { type Tampering, tamperings } from './completion.ts'
import { madeUpPeople } from './made-up-people.ts'
import type { PhoneOrder, Signer } from './orders.ts'
import type { BankIdStandIn } from './start-bankid-stand-in.ts'

/** Several times the longest form that makes sense. A larger one is 413. */
const formBytesMax = 16_384

interface Page {
  status: number
  html: string
}

/** What is wrong with what was asked, as its page says it. */
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

function signerOf(form: URLSearchParams, order: PhoneOrder): Signer {
  const chosen = madeUpPeople.find(({ personalNumber }) => personalNumber === form.get('person'))
  const person = chosen ?? {
    personalNumber: form.get('personal_number') ?? '',
    name: form.get('name')?.trim() ?? '',
  }
  if (!/^\d{12}$/.test(person.personalNumber)) {
    throw new Wrong(400, 'A personal number here has twelve digits.', order)
  }
  if (person.name === '' || person.name.length > 100) {
    throw new Wrong(400, 'A name has one to 100 characters.', order)
  }
  const ipAddress = form.get('ip_address')?.trim() ?? ''
  if (ipAddress !== '' && isIP(ipAddress) === 0) throw new Wrong(400, 'That is no address.', order)
  const tamper = form.get('tamper') ?? ''
  const risk = form.get('risk')
  return {
    ...person,
    risk: risk === 'moderate' || risk === 'high' ? risk : 'low',
    ...(ipAddress === '' ? {} : { ipAddress }),
    ...(tamper in tamperings ? { tamper: tamper as Tampering } : {}),
  }
}

/** The token, alone or in the link that starts the app. */
function tokenOf(text: string): string {
  return /autostarttoken=([\w-]+)/.exec(text)?.[1] ?? text.trim()
}

/** A person's app as pages: what it shows, and what its forms do. */
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

  /** @returns the order to go on with */
  async act(path: string, form: URLSearchParams): Promise<PhoneOrder> {
    const text = form.get('text') ?? ''
    if (path === '/scan') return refusing(() => this.#standIn.phone.scan(text.trim()))
    if (path === '/open') return refusing(() => this.#standIn.phone.open(tokenOf(text)))
    const [, orderRef, deed = ''] = /^\/orders\/([\w-]+)\/([a-z]+)$/.exec(path) ?? []
    if (orderRef === undefined) throw new Wrong(404, 'There is no such page.')
    const order = this.#find(orderRef)
    await refusing(() => this.#do(deed, order, form), order)
    return order
  }

  async #do(deed: string, order: PhoneOrder, form: URLSearchParams): Promise<void> {
    const { phone, orders } = this.#standIn
    const hint = form.get('hint') ?? ''
    if (deed === 'scan') phone.scan(orders.qrText(order.orderRef))
    else if (deed === 'open') phone.open(orders.autoStartToken(order.orderRef))
    else if (deed === 'sign') await order.sign(signerOf(form, order))
    else if (deed === 'refuse') order.refuse()
    else if (deed === 'hint' && /^\w+$/.test(hint)) order.setHint(hint)
    else if (deed === 'fail' && /^\w+$/.test(hint)) order.failWith(hint)
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

/** What the rules do not allow is told on the page. */
async function refusing<Result>(act: () => Result, order?: PhoneOrder): Promise<Awaited<Result>> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof Wrong ? error : new Wrong(409, (error as Error).message, order)
  }
}

/** Neither a page of elsewhere nor a name that leads here by trickery may act in the person's place. */
function requireOwn({ method, headers }: IncomingMessage): void {
  const { host = '', origin } = headers
  if (!/^(localhost|127\.0\.0\.1):\d+$/.test(host)) throw new Wrong(421, 'This page is at localhost alone.')
  // With `Referrer-Policy: no-referrer` a browser's own forms say `null`; where they come from it says beside.
  const isOwn = headers['sec-fetch-site'] === 'same-origin' || origin === `http://${host}`
  if (method === 'POST' && !isOwn) throw new Wrong(403, 'This form is from elsewhere.')
}

async function answer(app: App, request: IncomingMessage): Promise<Page | { location: string }> {
  try {
    requireOwn(request)
    const path = (request.url ?? '/').split('?', 1)[0]!
    if (request.method === 'GET' || request.method === 'HEAD') return app.show(path)
    if (request.method !== 'POST') throw new Wrong(405, 'There is nothing to do in this way.')
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

/** Serves the pages that stand for a person's BankID app, on loopback. */
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
