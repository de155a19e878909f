/** Texts of the list of companies, in English. */
export const en = {
  title: 'Companies',
  intro: 'The companies whose numbers you may see.',
  company: 'Company',
  role: 'Your role',
  last: 'Last delivery',
  noDelivery: 'None yet',
  late_one: 'One source late',
  late_other: '{{count}} sources late',
  menu: { head: 'Actions', label: 'Actions: {{company}}', leave: 'Leave the company' },
  none: 'You belong to no company yet',
  noneText:
    'A company’s owner lets you in: by your personal number, so that the company shows here once you look again, or by a link that they send you. Whoever runs Numera for you makes the first owner.',
  again: 'Look again',
  own: {
    title: 'Try with a company of your own',
    text: 'It gets a made-up number, and you are its owner: make sources and connections, invite people, send numbers.',
    name: 'Its name',
    make: 'Make the company',
    failed: 'The company was not made',
    fault: 'Write a name of at most 100 characters.',
    unseen: 'Some of its characters cannot be seen. Write the name by hand, not pasted.',
  },
}
