import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageHeaders } from './page-headers.ts'
import { languages, preferredLanguage, type Language } from '../http/requests/preferred-language.ts'

export type ErrorPageFault =
  | 'unknown_app'
  | 'unknown_redirect'
  | 'too_many_requests'
  | 'unavailable'
  | 'not_signed_in'

interface Words {
  title: string
  text: string
}

const words: Record<Language, Record<ErrorPageFault, Words>> = {
  en: {
    unknown_app: {
      title: 'Unknown app',
      text:
        'The app that sent you here is not registered with Numera, or no longer is. Nothing was shared. Go back to the ' +
        'app and try again, or contact its developer.',
    },
    unknown_redirect: {
      title: 'You were not sent back to the app',
      text:
        'The app wanted to send you to an address that is not exactly one it has registered. Nothing was shared. If you ' +
        'trust the app, contact its developer. Otherwise close this page.',
    },
    too_many_requests: {
      title: 'Too many requests',
      text: 'There were too many requests from your network. Wait a minute, then reload this page.',
    },
    unavailable: {
      title: 'Numera is not available right now',
      text: 'Nothing was shared. Wait a moment, then reload this page.',
    },
    not_signed_in: {
      title: 'You could not be signed in',
      text: 'Wait a moment, then reload this page. If that does not help, start again on the page you came from.',
    },
  },
  sv: {
    unknown_app: {
      title: 'Okänd app',
      text:
        'Appen som skickade dig hit är inte registrerad hos Numera, eller är det inte längre. Inget har lämnats ut. Gå ' +
        'tillbaka till appen och försök igen, eller kontakta dess utvecklare.',
    },
    unknown_redirect: {
      title: 'Du skickades inte tillbaka till appen',
      text:
        'Appen ville skicka dig till en adress som inte exakt är någon av dem som den har registrerat. Inget har lämnats ' +
        'ut. Om du litar på appen, kontakta dess utvecklare. Stäng annars sidan.',
    },
    too_many_requests: {
      title: 'För många förfrågningar',
      text: 'Det kom för många förfrågningar från ditt nätverk. Vänta en minut och ladda sedan om sidan.',
    },
    unavailable: {
      title: 'Tjänsten är inte tillgänglig just nu',
      text: 'Inget har lämnats ut. Vänta en stund och ladda sedan om sidan.',
    },
    not_signed_in: {
      title: 'Du kunde inte loggas in',
      text: 'Vänta en stund och ladda sedan om sidan. Om det inte hjälper, börja om på sidan du kom ifrån.',
    },
  },
}

/** The look of the web app (`web/src/ui/style/style.css`), for a page that loads nothing. */
const style = `
:root { color-scheme: light dark }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem;
  color: light-dark(#1b2224, #e7ebec); background: light-dark(#f5f4f0, #111618) }
header { display: flex; align-items: center; gap: .625rem; margin-bottom: 1.25rem; font-size: 1.125rem; font-weight: 650 }
header a { margin-inline-start: auto; padding: .25rem; font-size: .875rem; font-weight: 400; color: light-dark(#0f5c63, #74c9cf) }
main { padding: 1.5rem; background: light-dark(#fff, #192023); border: 1px solid light-dark(#e3e0d8, #2c363a);
  border-radius: .875rem }
p { margin: 0 }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 1rem }
#other:not(:target), body:has(#other:target) :is(#first, .to-other), body:not(:has(#other:target)) .to-first { display: none }
@media (min-width: 40em) { body { padding-top: 3rem } main { padding: 1.5rem 1.75rem } }`

/** As in the web app (`web/src/ui/display/icon.svg`). */
const mark =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f5c63"/>' +
  '<path d="M9 23V9l14 14V9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

/** No script, nothing from elsewhere, no form, and no other page may frame it. */
export const errorPageContentPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  `form-action 'none'; base-uri 'none'; frame-ancestors 'none'`

/** Each language in its own words. */
const languageNames: Record<Language, string> = { en: 'English', sv: 'Svenska' }

function section(id: 'first' | 'other', language: Language, fault: ErrorPageFault): string {
  const { title, text } = words[language][fault]
  return `<section id="${id}" lang="${language}">
<h1>${title}</h1>
<p>${text}</p>
</section>`
}

/**
 * The service's own page for errors that no app gets, and for people who return to an address. It repeats nothing of the request; so the other language is on the same
 * page, and the link to it leads there without a script.
 */
export function errorPage(fault: ErrorPageFault, language: Language): string {
  const other = languages.find((each) => each !== language)!
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words[language][fault].title} – Numera</title>
<style>${style}</style>
<body>
<header>${mark} Numera
<a class="to-other" href="#other" lang="${other}">${languageNames[other]}</a>
<a class="to-first" href="#first" lang="${language}">${languageNames[language]}</a>
</header>
<main>
${section('first', language, fault)}
${section('other', other, fault)}
</main>
</body>
</html>
`
}

/** Answers with that page, in the language of the browser. The status is the caller's. */
export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  fault: ErrorPageFault,
): FastifyReply {
  return reply
    .headers({ ...pageHeaders, 'content-security-policy': errorPageContentPolicy })
    .type('text/html; charset=utf-8')
    .send(errorPage(fault, preferredLanguage(request.headers['accept-language'])))
}
