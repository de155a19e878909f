import type { en } from './members.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the members, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Medlemmar',
  intro: 'De som kan se eller ändra något hos {{company}}.',
  name: 'Namn',
  role: 'Roll',
  since: 'Sedan',
  notYet: 'Har inte loggat in än',
  you: 'du',
}
