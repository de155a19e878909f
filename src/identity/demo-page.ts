import { createHash } from 'node:crypto'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f }
.demo { background: #fff3cd; border: 2px solid #b58100; border-radius: 6px; padding: .75rem 1rem }
pre { white-space: pre-wrap; background: #f4f4f6; border-radius: 6px; padding: 1rem; font: inherit }
label { display: block; margin: .75rem 0 }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .4rem }
button { font: inherit; padding: .5rem 1rem; margin: .5rem .5rem 0 0 }
.wrong { color: #a40000 }`

/** No script and nothing from elsewhere; the form goes to this service only, and no other page frames it. */
export const demoPageContentPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
<body>
<p class="demo"><strong>Demo.</strong> Nobody checks who you are here: what you approve proves nothing.</p>
<h1>${title}</h1>
${body}
</body>
</html>
`

/**
 * The page on which a person answers an order of the demo's electronic identity.
 *
 * @param visibleText what is to be signed; null for a sign-in
 * @param wrong what was wrong with the answer before
 */
export const demoOrderPage = (visibleText: string | null, wrong?: string): string =>
  page(
    visibleText === null ? 'Demo sign-in' : 'Demo signature',
    `${visibleText === null ? '' : `<pre>${escapeHtml(visibleText)}</pre>`}
${wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`}
<form method="post">
<label>Personal number, twelve digits <input name="personal_number" autocomplete="off" inputmode="numeric"></label>
<label>Name <input name="name" autocomplete="off"></label>
<button name="answer" value="approve">${visibleText === null ? 'Sign in' : 'Sign'}</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )

/** What the page says once the order is answered. */
export const demoAnsweredPage = (approved: boolean): string =>
  page(
    approved ? 'Approved' : 'Refused',
    '<p>You can close this page and go back to the one that you came from.</p>',
  )
