/** Texts of the members, in English. */
export const en = {
  title: 'Members',
  intro: 'Who may see or change something at {{company}}.',
  name: 'Name',
  role: 'Role',
  since: 'Since',
  notYet: 'Has not signed in yet',
  you: 'you',
}
