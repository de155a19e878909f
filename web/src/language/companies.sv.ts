import type { en } from './companies.en.ts'
import type { Translated } from './translated.ts'

/** Texts of the list of companies, in Swedish. */
export const sv: Translated<typeof en> = {
  title: 'Företag',
  intro: 'Företagen vars siffror du får se.',
  company: 'Företag',
  role: 'Din roll',
  none: 'Du hör inte till något företag än',
  noneText:
    'En ägare av företaget släpper in dig, med ditt personnummer. När det är gjort visas företaget här när du laddar om sidan. Den som driver Numera åt er lägger till den första ägaren.',
  again: 'Titta igen',
}
