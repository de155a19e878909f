import { createHash } from 'node:crypto'
import { tamperings } from './completion.ts'
import { madeUpPeople } from './made-up-people.ts'
import type { PhoneOrder } from './orders.ts'

/** The pages that play the app on a person's phone, without scripts. */

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

/** No scripts, nothing from other origins, and forms to this origin only. */
export const appContentPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** BankID's hints of an order that an app has, and an unknown one. */
const pendingHints = ['started', 'userSign', 'userMrtd', 'userCallConfirm', 'processing', 'somethingNew']
/** BankID's hints of an order that no app has. */
const waitingHints = ['outstandingTransaction', 'noClient']
/** BankID's hints of a failed order, and an unknown one. */
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
<p class="mark"><strong>Stand-in.</strong> This page plays the BankID app of any person you choose. It proves nothing.</p>
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

function toTitle({ kind }: PhoneOrder): string {
  return kind === 'sign' ? 'Sign' : 'Identify yourself'
}

function toState({ status, hintCode }: PhoneOrder): string {
  return hintCode === undefined ? status : `${status}, ${hintCode}`
}

function orderLine(order: PhoneOrder): string {
  return `<p><a href="/orders/${order.orderRef}">${toTitle(order)}, for ${escapeHtml(order.relyingPartyName)}</a>
<span class="quiet">${escapeHtml(toState(order))}</span></p>`
}

function orderList(title: string, orders: readonly PhoneOrder[]): string {
  if (orders.length === 0) return ''
  return `<div class="card"><h2>${title}</h2>\n${orders.map(orderLine).join('\n')}</div>`
}

export function ordersPage(orders: readonly PhoneOrder[]): string {
  const pending = orders.filter(({ status }) => status === 'pending')
  const over = orders.filter(({ status }) => status !== 'pending')
  return page(
    'BankID app',
    [
      pending.length === 0
        ? '<p>No order is waiting. This page reloads until a person signs in or signs at Numera.</p>'
        : '',
      orderList('Waiting', pending),
      orderList('Finished', over.slice(0, 10)),
      '<p><a href="/">Reload</a> · <a href="/start">Paste a QR code or a link</a></p>',
    ].join('\n'),
    // A list to choose from stays still.
    pending.length === 0 ? '<meta http-equiv="refresh" content="2">\n' : '',
  )
}

/** For pasting the text of a QR code or the link that starts the app. */
export function startPage(): string {
  return page(
    'Start the app',
    `<form method="post" action="/scan" class="card">
<label>Text of a QR code <input name="text" autocomplete="off" required></label>
<button class="main">Scan</button>
</form>
<form method="post" action="/open" class="card">
<label>Link that starts the app, or its token <input name="text" autocomplete="off" required></label>
<button class="main">Open</button>
</form>
<p><a href="/">Back</a></p>`,
  )
}

function startForms({ orderRef }: PhoneOrder): string {
  return `<div class="card"><h2>No app has opened this order yet</h2>
<form method="post" action="/orders/${orderRef}/scan"><button class="main">Scan its QR code</button></form>
<form method="post" action="/orders/${orderRef}/open"><button>Open it on the same device</button></form></div>`
}

function signForms({ orderRef, kind }: PhoneOrder): string {
  const label = kind === 'sign' ? 'Sign' : 'Identify'
  const wrong = Object.entries(tamperings).map(
    ([name, what]) => `<option value="${name}">${escapeHtml(what)}</option>`,
  )
  const person = `<label>Person <select name="person">${madeUpPeople
    .map(
      ({ personalNumber, name }) =>
        `<option value="${personalNumber}">${escapeHtml(name)}, ${personalNumber}</option>`,
    )
    .join('')}<option value="">Another person, entered below</option></select></label>`
  return `<form method="post" action="/orders/${orderRef}/sign" class="card">
${person}
<label>Personal number of another person, 12 digits <input name="personal_number" autocomplete="off" inputmode="numeric" pattern="[0-9]{12}"></label>
<label>Their name <input name="name" autocomplete="off"></label>
<label>Fault in the answer <select name="tamper"><option value="">None</option>${wrong.join('')}</select></label>
<label>Network address of the phone, if different, such as 198.51.100.20 <input name="ip_address" autocomplete="off"></label>
<label>Risk <select name="risk">${options(['low', 'moderate', 'high'])}</select></label>
<button class="main">${label}</button>
<button formaction="/orders/${orderRef}/refuse" formnovalidate>Cancel</button>
</form>`
}

function hintForms(order: PhoneOrder): string {
  const { orderRef, startedBy, hintCode } = order
  const hints = startedBy === undefined ? waitingHints : pendingHints
  return `<div class="card"><h2>Without the person</h2>
<form method="post" action="/orders/${orderRef}/hint"><label>Hint <select name="hint">${options(hints, hintCode)}</select></label>
<button>Set this hint</button></form>
<form method="post" action="/orders/${orderRef}/fail"><label>Reason <select name="hint">${options(failureHints)}</select></label>
<button>Fail the order</button></form></div>`
}

/** @param wrong why the last form failed */
export function orderPage(order: PhoneOrder, wrong?: string): string {
  const { visibleText, relyingPartyName, request, startedBy, status, hintCode, returnUrl } = order
  const required = request.requirement?.personalNumber
  const isPending = status === 'pending'
  return page(
    `${toTitle(order)}, for ${relyingPartyName}`,
    [
      wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`,
      `<p>${escapeHtml(toState(order))}</p>`,
      required === undefined ? '' : `<p>Only ${escapeHtml(required)} may answer.</p>`,
      visibleText === undefined ? '' : `<pre>${escapeHtml(visibleText)}</pre>`,
      isPending && startedBy === undefined ? startForms(order) : '',
      isPending && startedBy !== undefined && hintCode === 'userSign' ? signForms(order) : '',
      isPending ? hintForms(order) : '',
      status === 'complete' && returnUrl !== undefined && /^https?:/.test(returnUrl)
        ? `<p><a href="${escapeHtml(returnUrl)}">Back to Numera</a></p>`
        : '',
      `<p><a href="/orders/${order.orderRef}">Reload</a> · <a href="/">All orders</a></p>`,
    ].join('\n'),
  )
}

export function wrongPage(message: string): string {
  return page(
    'That did not work',
    `<p class="wrong" role="alert">${escapeHtml(message)}</p>\n<p><a href="/">All orders</a></p>`,
  )
}
