/** Texts of the list of companies, in English. */
export const en = {
  title: 'Companies',
  intro: 'The companies whose numbers you may see.',
  company: 'Company',
  role: 'Your role',
  none: 'You belong to no company yet',
  noneText:
    'A company’s owner lets you in, by your personal number. Once that is done, the company shows here when you load the page again. Whoever runs Numera for you makes the first owner.',
  again: 'Look again',
}
