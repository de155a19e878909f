import { addCopyButton } from './copy-button.ts'
import { element } from './element.ts'

/** The answer of `GET /docs/demo` on a demo deployment. */
interface Demo {
  credential: string | null
  resets_at: string | null
}

/** The answer of `POST /docs/demo/visits`. */
interface Visit {
  credential: string
  expires_at: string
}

/** A call of the API that this page makes; with a body, it is a push. */
interface DemoCall {
  path: string
  credential: string
  body?: object
}

const en = {
  // A 24-hour clock.
  locale: 'en-GB',
  reset: (at: string) => `The demo is reset every night at ${at}, and what you have created is removed.`,
  run: 'Run it here',
  until: (time: string) => `The credential is valid until ${time}. Push with it:`,
  readBack: 'Then read it back. Parsing takes less than a second:',
  tooMany: (seconds: string) =>
    `There were too many calls from your network. Try again in ${seconds} seconds.`,
  away: 'The service could not be reached. Check your connection and try again.',
  shell: 'Shell',
}

const sv: typeof en = {
  locale: 'sv',
  reset: (at) => `Demon återställs varje natt klockan ${at}, och det du har skapat tas bort.`,
  run: 'Kör det här',
  until: (time) => `Nyckeln gäller till ${time}. Skicka med den:`,
  readBack: 'Läs sedan tillbaka det. Inläsningen tar mindre än en sekund:',
  tooMany: (seconds) => `Det kom för många anrop från ditt nätverk. Försök igen om ${seconds} sekunder.`,
  away: 'Tjänsten gick inte att nå. Kontrollera din uppkoppling och försök igen.',
  shell: 'Skal',
}

const words = document.documentElement.lang === 'sv' ? sv : en

/** Marks the calls of these pages, which may use no production connection. */
const mark = { 'x-numera-reference': 'documents' }

const json = { 'content-type': 'application/json' }

/** A command in a block of code, like those of the pages. */
function commandBlock({ path, credential, body }: DemoCall): HTMLElement {
  const command = [
    `curl '${location.origin}${path}'`,
    `-H 'Authorization: Bearer ${credential}'`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ]
  const block = element(
    'figure',
    { className: 'code' },
    element('figcaption', {}, element('span', {}, words.shell)),
    // Wide code is scrolled with the keyboard too.
    element('pre', { tabIndex: 0 }, element('code', {}, command.join(' \\\n  '))),
  )
  addCopyButton(block)
  return block
}

async function readRefusal(answer: Response): Promise<string> {
  if (answer.status === 429) return words.tooMany(answer.headers.get('retry-after') ?? '60')
  return ((await answer.json()) as { message: string }).message
}

/** Makes a call, and returns the answer on several lines. */
async function run({ path, credential, body }: DemoCall): Promise<string> {
  const answer = await fetch(path, {
    headers: { ...mark, ...(body && json), authorization: `Bearer ${credential}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return answer.ok ? JSON.stringify(await answer.json(), undefined, 2) : readRefusal(answer)
}

/** Enables a button, which ignores presses while its action runs. */
function enable(button: HTMLButtonElement, onPress: () => Promise<void>): void {
  button.disabled = false
  button.addEventListener('click', () => {
    button.disabled = true
    void onPress().finally(() => (button.disabled = false))
  })
}

/** A button that makes a call, and the answer below it. */
function createRunner(
  call: DemoCall,
  button = element('button', { type: 'button', className: 'button' }, words.run),
  onAnswer?: () => void,
): HTMLElement[] {
  const answer = element('pre', { className: 'answer', hidden: true, tabIndex: 0, role: 'status' })
  enable(button, async () => {
    answer.textContent = await run(call).catch(() => words.away)
    answer.hidden = false
    onAnswer?.()
  })
  return [button, answer]
}

/** A push that can be made once, and reading it back. */
function createVisit({ credential, expires_at: expiresAt }: Visit): HTMLElement[] {
  const at = `${new Date().toISOString().slice(0, 19)}Z`
  const rows = [
    { at, amount: '249.50', country: 'SE' },
    { at, amount: '-49.50', country: 'SE' },
  ]
  const body = { idempotency_key: 'my-first', shape_version: 1, payload: rows }
  const push: DemoCall = { path: '/v1/ingest', credential, body }
  const read: DemoCall = { path: '/v1/samples', credential }
  const back = element(
    'div',
    { hidden: true },
    element('p', {}, words.readBack),
    commandBlock(read),
    ...createRunner(read),
  )
  const time = new Date(expiresAt).toLocaleTimeString(words.locale, { timeStyle: 'short' })
  return [
    element('p', {}, words.until(time)),
    commandBlock(push),
    ...createRunner(push, undefined, () => (back.hidden = false)),
    back,
  ]
}

/** Lets a button get a credential for this visit, and shows below it what it allows. */
function startVisits(button: HTMLButtonElement, madeAnewAt: string | null): void {
  const visit = element('div', { ariaLive: 'polite' })
  const until = madeAnewAt === null ? [] : [element('p', {}, words.reset(madeAnewAt))]
  enable(button, async () => {
    if (!visit.isConnected) button.after(visit)
    try {
      const answer = await fetch('/docs/demo/visits', { method: 'POST', headers: json, body: '{}' })
      visit.replaceChildren(
        ...(answer.ok
          ? [...createVisit((await answer.json()) as Visit), ...until]
          : [element('p', {}, await readRefusal(answer))]),
      )
    } catch {
      visit.replaceChildren(element('p', {}, words.away))
    }
  })
}

/** Enables the demo on the front page: reading with the demo credential, and a push with one for this visit. */
export async function startDemo(place: HTMLElement): Promise<void> {
  const answer = await fetch('/docs/demo').catch(() => undefined)
  if (answer?.ok !== true) return
  const { credential, resets_at: at } = (await answer.json()) as Demo
  const button = place.querySelector<HTMLButtonElement>('[data-demo-run]')!
  // Its command is in the page already.
  if (credential !== null)
    button.after(createRunner({ path: '/v1/samples?metric=revenue', credential }, button)[1]!)
  startVisits(place.querySelector<HTMLButtonElement>('[data-demo-visit]')!, at)
}
