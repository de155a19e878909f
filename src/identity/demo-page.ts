import { createHash } from 'node:crypto'

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** In the colours of the pages that lead here (`web/src/ui/style.css`), but set apart by the mark above. */
const style = `
:root { color-scheme: light dark; --line: light-dark(#8a9496, #5e6b70); --accent: light-dark(#0f5c63, #1b777f) }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem;
  color: light-dark(#1b2224, #e7ebec); background: light-dark(#f5f4f0, #111618) }
h1 { font-size: 1.625rem; line-height: 1.25 }
.demo { background: light-dark(#fbf1d3, #312812); border: 2px solid light-dark(#b58100, #8a6a1d);
  border-radius: .5rem; padding: .75rem 1rem }
pre, form { background: light-dark(#fff, #192023); border: 1px solid light-dark(#e3e0d8, #2c363a);
  border-radius: .875rem; padding: 1.25rem; margin: 0 0 1rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: .875rem }
label { display: block; margin-bottom: 1rem }
input { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; font: inherit; padding: .5rem .75rem;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
button { font: inherit; font-weight: 600; padding: .5rem 1.25rem; margin-right: .75rem; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
button[value=approve] { color: #fff; background: var(--accent); border-color: transparent }
.wrong { color: light-dark(#a8231c, #f0958d) }`

/** No script and nothing from elsewhere; the form goes to this service only, and no other page may frame it. */
export const demoPageContentPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

function page(title: string, body: string): string {
  return `<!doctype html>
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
}

/**
 * The page on which a person answers an order of the demo's electronic identity.
 *
 * @param visibleText what is to be signed; null for a sign-in
 * @param wrong what was wrong with the answer before
 */
export function demoOrderPage(visibleText: string | null, wrong?: string): string {
  return page(
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
}

/** What the page says once the order is answered. */
export function demoAnsweredPage(approved: boolean): string {
  return page(
    approved ? 'Approved' : 'Refused',
    '<p>You can close this page and go back to the one that you came from.</p>',
  )
}
