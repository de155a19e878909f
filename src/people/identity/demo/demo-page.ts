import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../platform/web-app/escape-html.ts'
import { languages, type Language } from '../../../platform/http/requests/preferred-language.ts'
import { demoPeople } from './demo-people.ts'

/** The colours of the other pages (`web/src/ui/style/style.css`); the box above sets this one apart. */
const style = `
:root { color-scheme: light dark; --line: light-dark(#8a9496, #5e6b70); --accent: light-dark(#0f5c63, #1b777f) }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem;
  color: light-dark(#1b2224, #e7ebec); background: light-dark(#f5f4f0, #111618) }
h1 { font-size: 1.625rem; line-height: 1.25 }
h2 { font-size: 1rem; margin: 0 0 .75rem }
.switch { text-align: end; margin: 0 0 .5rem; font-size: .875rem }
.switch a { display: inline-block; padding: .25rem; color: light-dark(#0f5c63, #74c9cf) }
.demo { background: light-dark(#fbf1d3, #312812); border: 2px solid light-dark(#b58100, #8a6a1d);
  border-radius: .5rem; padding: .75rem 1rem }
pre, .card { background: light-dark(#fff, #192023); border: 1px solid light-dark(#e3e0d8, #2c363a);
  border-radius: .875rem; padding: 1.25rem; margin: 0 0 1rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: .875rem }
form { margin: 0 }
form + form { margin-top: .5rem }
label { display: block; margin-bottom: 1rem }
input { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; font: inherit; padding: .5rem .75rem;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
input[aria-invalid] { border: 2px solid light-dark(#a8231c, #f0958d) }
button { font: inherit; font-weight: 600; padding: .5rem 1.25rem; margin-right: .75rem; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer }
button.main { color: #fff; background: var(--accent); border-color: transparent }
button.person { width: 100%; margin: 0; text-align: start }
button.person span { display: block; font-size: .875rem; font-weight: 400; color: light-dark(#586366, #a3afb2) }
.wrong { color: light-dark(#a8231c, #f0958d) }
#other:not(:target), body:has(#other:target) :is(#first, .to-other), body:not(:has(#other:target)) .to-first { display: none }`

/** No script and nothing from other hosts; the form is sent to this service only, and no page may frame it. */
export const demoPageContentPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const words = {
  en: {
    name: 'English',
    demo: '<strong>Demo.</strong> Anyone can sign in as anyone here, and what you approve proves nothing.',
    signInTitle: 'Demo sign-in',
    signTitle: 'Demo signature',
    people: 'Continue as',
    anyone: 'Or as someone else',
    personalNumber: 'Personal identity number, 12 digits',
    personName: 'Name',
    signIn: 'Sign in',
    sign: 'Sign',
    refuse: 'Refuse',
    approved: 'Approved',
    refused: 'Refused',
    close: 'You can close this page and go back to the one you came from.',
    over: 'No longer available',
    overText:
      'This has already been answered, or was not answered in time. Close this page and start again on the one you came from.',
    wrong: { personal_number: 'Enter a valid personal identity number.', name: 'Name:' },
  },
  sv: {
    name: 'Svenska',
    demo: '<strong>Demo.</strong> Här kan vem som helst logga in som vem som helst, och det du godkänner bevisar inget.',
    signInTitle: 'Demo: logga in',
    signTitle: 'Demo: skriv under',
    people: 'Fortsätt som',
    anyone: 'Eller som någon annan',
    personalNumber: 'Personnummer, 12 siffror',
    personName: 'Namn',
    signIn: 'Logga in',
    sign: 'Skriv under',
    refuse: 'Neka',
    approved: 'Godkänt',
    refused: 'Nekat',
    close: 'Du kan stänga sidan och gå tillbaka till den du kom från.',
    over: 'Inte längre tillgängligt',
    overText:
      'Det här har redan besvarats, eller besvarades inte i tid. Stäng sidan och börja om på den du kom från.',
    wrong: {
      personal_number: 'Ange ett giltigt personnummer.',
      name: 'Namn: Ange ett namn utan osynliga tecken.',
    },
  },
} satisfies Record<Language, { wrong: Record<DemoField, string>; [word: string]: unknown }>

/** The longest values that an answer may have. A longer one is 400. */
export const personalNumberCharactersMax = 20
export const personNameCharactersMax = 200

type DemoField = 'personal_number' | 'name'

/** An answer that was refused. */
interface WrongAnswer {
  personalNumber: string
  name: string
  field: DemoField
  /** What is wrong, in English. */
  message: string
}

/**
 * A page in both languages, whose links switch between them without a script.
 *
 * @param language the one that is shown first
 * @param section its title and content in a language
 */
function page(language: Language, section: (language: Language) => { title: string; body: string }): string {
  const other = languages.find((each) => each !== language)!
  const write = (id: 'first' | 'other', each: Language): string => {
    const { title, body } = section(each)
    return `<section id="${id}" lang="${each}">
<p class="demo">${words[each].demo}</p>
<h1>${title}</h1>
${body}
</section>`
  }
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${section(language).title}</title>
<style>${style}</style>
<body>
<p class="switch">
<a class="to-other" href="#other" lang="${other}">${words[other].name}</a>
<a class="to-first" href="#first" lang="${language}">${words[language].name}</a>
</p>
${write('first', language)}
${write('other', other)}
</body>
</html>
`
}

/** One click for each of the demo's people. */
function peopleForms(language: Language): string {
  const forms = Object.values(demoPeople).map(
    ({ personalNumber, name, role }) => `<form method="post">
<input type="hidden" name="personal_number" value="${personalNumber}">
<input type="hidden" name="name" value="${escapeHtml(name)}">
<button class="person" name="answer" value="approve">${escapeHtml(name)}
<span>${escapeHtml(role[language])}</span> <span>${personalNumber}</span></button>
</form>`,
  )
  return `<div class="card"><h2>${words[language].people}</h2>\n${forms.join('\n')}</div>`
}

function answerForm(language: Language, isSignIn: boolean, wrong: WrongAnswer | undefined): string {
  const say = words[language]
  const invalid = (field: DemoField): string => (wrong?.field === field ? ' aria-invalid="true"' : '')
  return `<form method="post" class="card">
<h2>${say.anyone}</h2>
<label>${say.personalNumber} <input name="personal_number" autocomplete="off" inputmode="numeric" maxlength="${personalNumberCharactersMax}" value="${escapeHtml(wrong?.personalNumber ?? '')}"${invalid('personal_number')}></label>
<label>${say.personName} <input name="name" autocomplete="off" maxlength="${personNameCharactersMax}" value="${escapeHtml(wrong?.name ?? '')}"${invalid('name')}></label>
<button class="main" name="answer" value="approve">${isSignIn ? say.signIn : say.sign}</button>
<button name="answer" value="refuse">${say.refuse}</button>
</form>`
}

function sentence(language: Language, { field, message }: WrongAnswer): string {
  const { wrong } = words[language]
  return field === 'name' && language === 'en' ? `${wrong.name} ${message}` : wrong[field]
}

/**
 * The page on which a person answers an order of the demo's electronic identity.
 *
 * @param visibleText what is to be signed; null for a sign-in
 * @param wrong the previous answer, if it was refused
 */
export function demoOrderPage(language: Language, visibleText: string | null, wrong?: WrongAnswer): string {
  const isSignIn = visibleText === null
  return page(language, (each) => ({
    title: isSignIn ? words[each].signInTitle : words[each].signTitle,
    body: [
      isSignIn ? '' : `<pre>${escapeHtml(visibleText)}</pre>`,
      wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(sentence(each, wrong))}</p>`,
      peopleForms(each),
      answerForm(each, isSignIn, wrong),
    ].join('\n'),
  }))
}

export function demoAnsweredPage(language: Language, approved: boolean): string {
  return page(language, (each) => ({
    title: approved ? words[each].approved : words[each].refused,
    body: `<p>${words[each].close}</p>`,
  }))
}

/** For an order that has been answered, or has expired. */
export function demoOverPage(language: Language): string {
  return page(language, (each) => ({ title: words[each].over, body: `<p>${words[each].overText}</p>` }))
}
