import { createHash } from 'node:crypto'
import { tamperings } from './completion.ts'
import { madeUpPeople } from './made-up-people.ts'
import type { PhoneOrder } from './orders.ts'

/** The pages that stand for the app on a person's phone: plain, without a script. */

const style = `
:root { color-scheme: light dark; --line: light-dark(#8a9496, #5e6b70); --accent: light-dark(#0f5c63, #1b777f) }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem;
  color: light-dark(#1b2224, #e7ebec); background: light-dark(#f5f4f0, #111618) }
h1 { font-size: 1.625rem; line-height: 1.25 }
h2 { font-size: 1rem; margin: 0 0 .75rem }
a { color: light-dark(#0f5c63, #74c9cf) }
.mark { background: light-dark(#fbf1d3, #312812); border: 2px solid light-dark(#b58100, #8a6a1d);
  border-radius: .5rem; padding: .75rem 1rem }
pre, .card { background: light-dark(#fff, #192023); border: 1px solid light-dark(#e3e0d8, #2c363a);
  border-radius: .875rem; padding: 1.25rem; margin: 0 0 1rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: .875rem }
form { margin: 0 }
form + form { margin-top: .75rem }
label { display: block; margin-bottom: 1rem }
input, select { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; font: inherit; padding: .5rem .75rem;
  color: inherit; background: light-dark(#fff, #192023); border: 1px solid var(--line); border-radius: .5rem }
button { font: inherit; font-weight: 600; padding: .5rem 1.25rem; margin: 0 .75rem .5rem 0; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
button.main { color: #fff; background: var(--accent); border-color: transparent }
.quiet { font-size: .875rem; color: light-dark(#586366, #a3afb2) }
.wrong { color: light-dark(#a8231c, #f0958d) }`

/** Nothing from elsewhere, no script, and forms go to this page alone. */
export const appContentPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** How an order can be held up, in the words of BankID's hints; and one that no relying party knows. */
const pendingHints = ['started', 'userSign', 'userMrtd', 'userCallConfirm', 'processing', 'somethingNew']
/** Of an order that no app has. */
const waitingHints = ['outstandingTransaction', 'noClient']
/** How an order can end without a signature. */
const failureHints = [
  'userCancel',
  'certificateErr',
  'expiredTransaction',
  'startFailed',
  'cancelled',
  'userDeclinedCall',
  'notSupportedByUserApp',
  'transactionRiskBlocked',
  'somethingNew',
]

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${escapeHtml(title)}</title>
<style>${style}</style>
<body>
<p class="mark"><strong>Stand-in.</strong> This page is the BankID app on the phone of whoever you choose. It proves nothing.</p>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`
}

function options(values: readonly string[], selected?: string): string {
  return values
    .map((value) => `<option${value === selected ? ' selected' : ''}>${escapeHtml(value)}</option>`)
    .join('')
}

function kindOf({ kind }: PhoneOrder): string {
  return kind === 'sign' ? 'Sign' : 'Identify yourself'
}

function stateOf({ status, hintCode }: PhoneOrder): string {
  return hintCode === undefined ? status : `${status}, ${hintCode}`
}

function orderLine(order: PhoneOrder): string {
  return `<p><a href="/orders/${order.orderRef}">${kindOf(order)}, for ${escapeHtml(order.relyingPartyName)}</a>
<span class="quiet">${escapeHtml(stateOf(order))}</span></p>`
}

function orderList(title: string, orders: readonly PhoneOrder[]): string {
  if (orders.length === 0) return ''
  return `<div class="card"><h2>${title}</h2>\n${orders.map(orderLine).join('\n')}</div>`
}

/** The orders that wait, and those that are over. */
export function ordersPage(orders: readonly PhoneOrder[]): string {
  const pending = orders.filter(({ status }) => status === 'pending')
  const over = orders.filter(({ status }) => status !== 'pending')
  return page(
    'BankID app',
    [
      pending.length === 0
        ? '<p>No order waits. One begins when somebody signs in or signs; this page looks by itself.</p>'
        : '',
      orderList('Waiting', pending),
      orderList('Over', over.slice(0, 10)),
      '<p><a href="/">Look again</a> · <a href="/start">Paste a QR code or a link</a></p>',
    ].join('\n'),
    // With an order to choose, nothing moves under the reader's hand.
    pending.length === 0 ? '<meta http-equiv="refresh" content="2">\n' : '',
  )
}

/** Where the text of a QR code, or what starts the app, is pasted. */
export function startPage(): string {
  return page(
    'Start the app',
    `<form method="post" action="/scan" class="card">
<label>What a QR code says <input name="text" autocomplete="off" required></label>
<button class="main">Scan</button>
</form>
<form method="post" action="/open" class="card">
<label>A link that starts the app, or its token <input name="text" autocomplete="off" required></label>
<button class="main">Open</button>
</form>
<p><a href="/">Back</a></p>`,
  )
}

function startForms({ orderRef }: PhoneOrder): string {
  return `<div class="card"><h2>No app has this order yet</h2>
<form method="post" action="/orders/${orderRef}/scan"><button class="main">Scan its QR code</button></form>
<form method="post" action="/orders/${orderRef}/open"><button>Open it on the same device</button></form></div>`
}

function signForms({ orderRef, kind }: PhoneOrder): string {
  const label = kind === 'sign' ? 'Sign' : 'Identify'
  const wrong = Object.entries(tamperings).map(
    ([name, what]) => `<option value="${name}">${escapeHtml(what)}</option>`,
  )
  const person = `<label>Who <select name="person">${madeUpPeople
    .map(
      ({ personalNumber, name }) =>
        `<option value="${personalNumber}">${escapeHtml(name)}, ${personalNumber}</option>`,
    )
    .join('')}<option value="">Somebody else, typed below</option></select></label>`
  return `<form method="post" action="/orders/${orderRef}/sign" class="card">
${person}
<label>Somebody else’s personal number, twelve digits <input name="personal_number" autocomplete="off" inputmode="numeric" pattern="[0-9]{12}"></label>
<label>Their name <input name="name" autocomplete="off"></label>
<label>What is wrong with the answer <select name="tamper"><option value="">Nothing</option>${wrong.join('')}</select></label>
<label>Another address that the app has, such as 198.51.100.20 <input name="ip_address" autocomplete="off"></label>
<label>Risk <select name="risk">${options(['low', 'moderate', 'high'])}</select></label>
<button class="main">${label}</button>
<button formaction="/orders/${orderRef}/refuse" formnovalidate>Cancel</button>
</form>`
}

function hintForms(order: PhoneOrder): string {
  const { orderRef, startedBy, hintCode } = order
  const hints = startedBy === undefined ? waitingHints : pendingHints
  return `<div class="card"><h2>By hand</h2>
<form method="post" action="/orders/${orderRef}/hint"><label>It waits for <select name="hint">${options(hints, hintCode)}</select></label>
<button>Go on with this hint</button></form>
<form method="post" action="/orders/${orderRef}/fail"><label>It ends with <select name="hint">${options(failureHints)}</select></label>
<button>Let it fail</button></form></div>`
}

/** One order: what is asked, and what the person can do. */
export function orderPage(order: PhoneOrder, wrong?: string): string {
  const { visibleText, relyingPartyName, request, startedBy, status, hintCode, returnUrl } = order
  const asked = request.requirement?.personalNumber
  const isPending = status === 'pending'
  return page(
    `${kindOf(order)}, for ${relyingPartyName}`,
    [
      wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`,
      `<p>${escapeHtml(stateOf(order))}</p>`,
      asked === undefined ? '' : `<p>Asked of ${escapeHtml(asked)} alone.</p>`,
      visibleText === undefined ? '' : `<pre>${escapeHtml(visibleText)}</pre>`,
      isPending && startedBy === undefined ? startForms(order) : '',
      isPending && startedBy !== undefined && hintCode === 'userSign' ? signForms(order) : '',
      isPending ? hintForms(order) : '',
      status === 'complete' && returnUrl !== undefined && /^https?:/.test(returnUrl)
        ? `<p><a href="${escapeHtml(returnUrl)}">Back to where it began</a></p>`
        : '',
      `<p><a href="/orders/${order.orderRef}">Look again</a> · <a href="/">All orders</a></p>`,
    ].join('\n'),
  )
}

/** What could not be done. */
export function wrongPage(message: string): string {
  return page(
    'That did not work',
    `<p class="wrong" role="alert">${escapeHtml(message)}</p>\n<p><a href="/">All orders</a></p>`,
  )
}
