import type { en } from './remarks.en.ts'
import type { Translated } from './translated.ts'

/** Texts about accepted rows that need a second look, in Swedish. */
export const sv: Translated<typeof en> = {
  missing_one: '{{metric}}: 1 rad saknade ”{{field}}” och bidrog inte med något.',
  missing_other: '{{metric}}: {{rows}} rader saknade ”{{field}}” och bidrog inte med något.',
  similar: 'Leveransen innehöll ”{{key}}”, som inte är deklarerat. Menade du ”{{field}}”?',
  missingAdvice: {
    events:
      'Om värdet skulle ha varit med: rätta systemet som skickar och skicka de här raderna igen med en ny nyckel. Andra mått som redan har räknat dem räknar dem då två gånger.',
    statements:
      'Om värdet skulle ha varit med: rätta systemet som skickar och skicka sedan hela perioden igen, för varje period, med en ny nyckel.',
  },
  ahead_one: '1 rad har ett datum mer än 366 dagar framåt i tiden.',
  ahead_other: '{{rows}} rader har ett datum mer än 366 dagar framåt i tiden.',
  aheadRows_one: 'Rad {{rows}}.',
  aheadRows_other: 'Raderna {{rows}}.',
  aheadMore: 'och {{rows}} till',
  aheadAdvice: {
    events:
      'De räknas på den dag som de anger. Om den är fel: ta ut raden med en som har motsatt tecken, och skicka den sedan med rätt datum och en ny nyckel.',
    statements:
      'De räknas i den period som de anger. Om den är fel: skicka den perioden igen med värdet 0, och den rätta perioden med alla sina rader.',
  },
}
