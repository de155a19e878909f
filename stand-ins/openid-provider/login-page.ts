import type { Person } from './people.ts'

const texts = {
  en: { title: 'Sign in', note: 'This is a stand-in: your identity is not checked.', cancel: 'Cancel' },
  sv: {
    title: 'Logga in',
    note: 'Det här är en attrapp: din identitet kontrolleras inte.',
    cancel: 'Avbryt',
  },
}

/** A button for each made-up person, and one to cancel. */
export function loginPage(people: readonly Person[], uiLocales: string | undefined): string {
  const language = uiLocales?.split(' ').find((each) => each === 'sv' || each === 'en') ?? 'en'
  const { title, note, cancel } = texts[language]
  const buttons = people.map(
    ({ personalNumber, givenName, surname }) =>
      `<p><button name="person" value="${personalNumber}">${givenName} ${surname} (${personalNumber})</button></p>`,
  )
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>body { font: 1.1rem/1.5 system-ui; max-width: 30rem; margin: 3rem auto; padding: 0 1rem } button { font: inherit; padding: .5rem 1rem; width: 100% }</style>
<h1>${title}</h1>
<p>${note}</p>
<form method="post">
${buttons.join('\n')}
<p><button name="person" value="">${cancel}</button></p>
</form>
</html>
`
}
