/** What `GET /docs/demo` answers on a demo deployment; on another one it is 404. */
interface Demo {
  credential: string | null
  made_anew_at: string | null
}

interface Visit {
  credential: string
  expires_at: string
}

/** A call that is shown as a command and, once the button is pressed, made by this page. */
interface ShownCall {
  path: string
  credential: string
  /** Of a push. */
  body?: object
}

const en = {
  title: 'This is a demo',
  about: 'Everything in it is made up, and anybody may sign in as anybody.',
  madeAnew: (at: string) => `It is made anew each night at ${at}: what you make is gone then.`,
  notMadeAnew: 'What you make can be seen by others: send nothing that is real.',
  read: 'Read the sales of a made-up shop, with the published demo credential. It reads and cannot push.',
  push: 'Try a push: with a source of your own, and a sandbox credential for it that works for an hour.',
  visit: 'Get a credential',
  until: (time: string) => `It works until ${time}. Copy it, or run it here.`,
  readBack: 'Read it back. Parsing takes less than a second.',
  run: 'Run it',
  tooMany: (seconds: string) => `There were too many calls from your network. Wait ${seconds} seconds.`,
  away: 'The service does not answer. Check your connection and try again.',
}

const sv: typeof en = {
  title: 'Det här är en demo',
  about: 'Allt i den är påhittat, och vem som helst kan logga in som vem som helst.',
  madeAnew: (at) => `Den görs om varje natt klockan ${at}: då försvinner det du har gjort.`,
  notMadeAnew: 'Det du gör kan andra se: skicka inget som är på riktigt.',
  read: 'Läs en påhittad butiks försäljning med den öppna demonyckeln. Den läser och kan inte skicka.',
  push: 'Prova att skicka: med en egen källa och en testnyckel till den som gäller i en timme.',
  visit: 'Hämta en nyckel',
  until: (time) => `Den gäller till ${time}. Kopiera kommandot, eller kör det här.`,
  readBack: 'Läs tillbaka det. Tolkningen tar mindre än en sekund.',
  run: 'Kör',
  tooMany: (seconds) => `Det kom för många anrop från ditt nätverk. Vänta ${seconds} sekunder.`,
  away: 'Tjänsten svarar inte. Kontrollera anslutningen och försök igen.',
}

const words = document.documentElement.lang === 'sv' ? sv : en

/** Calls of these pages may use no production connection; this says that they are. */
const mark = { 'x-numera-reference': 'documents' }

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  if (className !== '') made.className = className
  return made
}

function commandOf({ path, credential, body }: ShownCall): string {
  const lines = [
    `curl '${location.origin}${path}'`,
    `-H 'Authorization: Bearer ${credential}'`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}

async function sayRefusal(answer: Response): Promise<string> {
  if (answer.status === 429) return words.tooMany(answer.headers.get('retry-after') ?? '60')
  return ((await answer.json()) as { message: string }).message
}

/** What the page shows of an answer: all of it, as the service wrote it, with line breaks. */
async function run({ path, credential, body }: ShownCall): Promise<string> {
  const answer = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...mark,
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.ok ? JSON.stringify(await answer.json(), undefined, 2) : sayRefusal(answer)
}

/** A button that does something once at a time, and what it says meanwhile. */
function button(text: string, press: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button'
  made.textContent = text
  made.addEventListener('click', () => {
    made.disabled = true
    void press().finally(() => (made.disabled = false))
  })
  return made
}

/** A command, the button that runs it, and what came of that. */
function showCall(call: ShownCall, then?: () => void): HTMLElement[] {
  const command = element('pre', '')
  command.tabIndex = 0
  command.append(element('code', commandOf(call)))
  const outcome = element('pre', '', 'outcome')
  outcome.hidden = true
  outcome.tabIndex = 0
  outcome.setAttribute('role', 'status')
  const press = async (): Promise<void> => {
    outcome.textContent = await run(call).catch(() => words.away)
    outcome.hidden = false
    then?.()
  }
  return [command, button(words.run, press), outcome]
}

/** A week of days ago, as the API takes it. */
function weekAgo(): string {
  return new Date(Date.now() - 7 * 24 * 60 * 60_000).toISOString().slice(0, 10)
}

function showVisit({ credential, expires_at: expiresAt }: Visit): HTMLElement {
  const shown = document.createElement('div')
  const at = `${new Date().toISOString().slice(0, 19)}Z`
  const push: ShownCall = {
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
  const time = new Date(expiresAt).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'short' })
  const back = document.createElement('div')
  back.hidden = true
  back.append(element('p', words.readBack), ...showCall({ path: '/v1/samples', credential }))
  shown.append(
    element('p', words.until(time)),
    ...showCall(push, () => (back.hidden = false)),
    back,
  )
  return shown
}

function showPush(): HTMLElement[] {
  const visit = document.createElement('div')
  const refusal = element('p', '')
  refusal.setAttribute('role', 'alert')
  const press = async (): Promise<void> => {
    refusal.textContent = ''
    const answer = await fetch('/docs/demo/visits', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    if (answer.ok) visit.replaceChildren(showVisit((await answer.json()) as Visit))
    else refusal.textContent = await sayRefusal(answer)
  }
  return [
    element('p', words.push),
    button(words.visit, () => press().catch(() => void (refusal.textContent = words.away))),
    refusal,
    visit,
  ]
}

/** Fills the front page's place for a demo, where this is one. */
export async function showDemo(place: HTMLElement): Promise<void> {
  const answer = await fetch('/docs/demo').catch(() => undefined)
  if (answer?.ok !== true) return
  const { credential, made_anew_at: at } = (await answer.json()) as Demo
  const title = element('h2', words.title)
  const about = element('p', `${words.about} ${at === null ? words.notMadeAnew : words.madeAnew(at)}`)
  place.replaceChildren(title, about)
  if (credential !== null) {
    const path = `/v1/samples?metric=revenue&from=${weekAgo()}`
    place.append(element('p', words.read), ...showCall({ path, credential }))
  }
  place.append(...showPush())
  place.hidden = false
}
