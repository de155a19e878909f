/** Texts of the list of companies, in English. */
export const en = {
  title: 'Companies',
  intro: 'Companies whose numbers you can see.',
  company: 'Company',
  role: 'Your role',
  last: 'Last delivery',
  noDelivery: 'None yet',
  late_one: '{{count}} late source',
  late_other: '{{count}} late sources',
  menu: { head: 'Actions', label: 'Actions: {{company}}', leave: 'Leave company' },
  none: 'You do not belong to a company yet',
  noneText:
    'An owner of the company can add you with your personal identity number, or send you a link. If the company has no owner yet, ask the operator of this service.',
  again: 'Check again',
  own: {
    title: 'Try with a company of your own',
    text: 'The company gets a made-up number and you become its owner. Create sources and connections, invite people and send numbers.',
    name: 'Company name',
    create: 'Create company',
    failed: 'Could not create the company',
    fault: 'Enter a name of at most 100 characters.',
    unseen: 'The name contains invisible characters. Type it instead of pasting it.',
  },
}
