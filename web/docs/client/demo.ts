import { addCopyButton } from './copy-button.ts'

/** What `GET /docs/demo` answers on a demo deployment; on another one it is 404. */
interface Demo {
  credential: string | null
  made_anew_at: string | null
}

/** What `POST /docs/demo/visits` answers. */
interface Visit {
  credential: string
  expires_at: string
}

/** A call of the API that this page makes. */
interface DemoCall {
  path: string
  credential: string
  /** Of a push. */
  body?: object
}

const en = {
  // With the hours of a day, not of half a day.
  locale: 'en-GB',
  madeAnew: (at: string) => `It is made anew each night at ${at}: what you make here is gone then.`,
  run: 'Run it here',
  until: (time: string) => `It works until ${time}. Push with it:`,
  readBack: 'And read it back, as soon as it is parsed, which takes less than a second:',
  tooMany: (seconds: string) => `There were too many calls from your network. Wait ${seconds} seconds.`,
  away: 'The service does not answer. Check your connection and try again.',
  shell: 'Shell',
}

const sv: typeof en = {
  locale: 'sv',
  madeAnew: (at) => `Den görs om varje natt klockan ${at}: då försvinner det du har gjort här.`,
  run: 'Kör det här',
  until: (time) => `Den gäller till ${time}. Skicka med den:`,
  readBack: 'Och läs tillbaka det så fort det är tolkat, vilket tar mindre än en sekund:',
  tooMany: (seconds) => `Det kom för många anrop från ditt nätverk. Vänta ${seconds} sekunder.`,
  away: 'Tjänsten svarar inte. Kontrollera anslutningen och försök igen.',
  shell: 'Skal',
}

const words = document.documentElement.lang === 'sv' ? sv : en

/** These pages may use no production connection, so their calls say that they are theirs. */
const mark = { 'x-numera-reference': 'documents' }

const json = { 'content-type': 'application/json' }

function element(name: string, text = '', className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

/** A block of code, as the pages have them. */
function codeBlock(text: string, caption: string): HTMLElement {
  const block = element('figure', '', 'code')
  const code = element('pre')
  // It may be wider than the page, and is then scrolled with the keyboard too.
  code.tabIndex = 0
  code.append(element('code', text))
  const head = element('figcaption')
  head.append(element('span', caption))
  block.append(head, code)
  addCopyButton(block)
  return block
}

function commandOf({ path, credential, body }: DemoCall): string {
  return [
    `curl '${location.origin}${path}'`,
    `-H 'Authorization: Bearer ${credential}'`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ')
}

async function refusalOf(answer: Response): Promise<string> {
  if (answer.status === 429) return words.tooMany(answer.headers.get('retry-after') ?? '60')
  return ((await answer.json()) as { message: string }).message
}

/** What the service answers, with a line for each member. */
async function answerOf({ path, credential, body }: DemoCall): Promise<string> {
  const authorization = `Bearer ${credential}`
  const answer = await (body === undefined
    ? fetch(path, { headers: { ...mark, authorization } })
    : fetch(path, {
        method: 'POST',
        headers: { ...mark, ...json, authorization },
        body: JSON.stringify(body),
      }))
  return answer.ok ? JSON.stringify(await answer.json(), undefined, 2) : refusalOf(answer)
}

function createButton(text: string): HTMLButtonElement {
  const created = document.createElement('button')
  created.type = 'button'
  created.className = 'button'
  created.textContent = text
  return created
}

/** Lets a button do one thing at a time. */
function enable(button: HTMLButtonElement, press: () => Promise<void>): void {
  button.disabled = false
  button.addEventListener('click', () => {
    button.disabled = true
    void press().finally(() => (button.disabled = false))
  })
}

/** A button that makes a call, and below it what came of it. */
function runner(call: DemoCall, button = createButton(words.run), then?: () => void): HTMLElement[] {
  const answer = element('pre', '', 'answer')
  answer.hidden = true
  answer.tabIndex = 0
  answer.setAttribute('role', 'status')
  const press = async (): Promise<void> => {
    answer.textContent = await answerOf(call).catch(() => words.away)
    answer.hidden = false
    then?.()
  }
  enable(button, press)
  return [button, answer]
}

/** A push that can be made once, and reading it back. */
function showVisit({ credential, expires_at: expiresAt }: Visit): HTMLElement[] {
  const at = `${new Date().toISOString().slice(0, 19)}Z`
  const push: DemoCall = {
    path: '/v1/ingest',
    credential,
    body: {
      idempotency_key: 'my-first',
      shape_version: 1,
      payload: [
        { at, amount: '249.50', country: 'SE' },
        { at, amount: '-49.50', country: 'SE' },
      ],
    },
  }
  const read: DemoCall = { path: '/v1/samples', credential }
  const back = element('div')
  back.hidden = true
  back.append(element('p', words.readBack), codeBlock(commandOf(read), words.shell), ...runner(read))
  const time = new Date(expiresAt).toLocaleTimeString(words.locale, { timeStyle: 'short' })
  return [
    element('p', words.until(time)),
    codeBlock(commandOf(push), words.shell),
    ...runner(push, undefined, () => (back.hidden = false)),
    back,
  ]
}

/** Below its button: what the visit gives, and until when that is there. */
function startVisits(button: HTMLButtonElement, madeAnewAt: string | null): void {
  const visit = element('div')
  visit.setAttribute('aria-live', 'polite')
  const until = madeAnewAt === null ? [] : [element('p', words.madeAnew(madeAnewAt))]
  const press = async (): Promise<void> => {
    if (!visit.isConnected) button.after(visit)
    const answer = await fetch('/docs/demo/visits', { method: 'POST', headers: json, body: '{}' })
    visit.replaceChildren(
      ...(answer.ok
        ? [...showVisit((await answer.json()) as Visit), ...until]
        : [element('p', await refusalOf(answer))]),
    )
  }
  enable(button, () => press().catch(() => visit.replaceChildren(element('p', words.away))))
}

/** Turns on what the front page has for a demo: reading with the demo credential, and a push with one of the visit's own. */
export async function startDemo(place: HTMLElement): Promise<void> {
  const answer = await fetch('/docs/demo').catch(() => undefined)
  if (answer?.ok !== true) return
  const { credential, made_anew_at: at } = (await answer.json()) as Demo
  const run = place.querySelector<HTMLButtonElement>('[data-demo-run]')!
  // The command that reads stands above, in the page itself.
  if (credential !== null) run.after(runner({ path: '/v1/samples?metric=revenue', credential }, run)[1]!)
  startVisits(place.querySelector<HTMLButtonElement>('[data-demo-visit]')!, at)
}
