import type { en } from '../en/remarks.ts'
import type { Translated } from '../translated.ts'

/** Texts about accepted rows that need a second look, in Swedish. */
export const sv: Translated<typeof en> = {
  missing_one: '{{metric}}: {{rows}} rad saknade ”{{field}}” och bidrog inte.',
  missing_other: '{{metric}}: {{rows}} rader saknade ”{{field}}” och bidrog inte.',
  similar: 'Leveransen hade ”{{key}}”, som inte är ett fält i källan. Menade du ”{{field}}”?',
  missingAdvice: {
    events:
      'Om värdet skulle ha varit med: rätta systemet som skickar och skicka raderna igen med en ny leveransnyckel. Andra mått som redan har räknat raderna räknar dem då två gånger.',
    statements:
      'Om värdet skulle ha varit med: rätta systemet som skickar och skicka sedan varje period i sin helhet, med en ny leveransnyckel.',
  },
  ahead_one: '{{rows}} rad har ett datum mer än 366 dagar framåt.',
  ahead_other: '{{rows}} rader har ett datum mer än 366 dagar framåt.',
  aheadRows_one: 'Rad {{rows}}.',
  aheadRows_other: 'Raderna {{rows}}.',
  aheadMore: 'och {{rows}} till',
  aheadAdvice: {
    events:
      'De räknas på det datum som de har. Om det är fel: ta ut raden med en som har motsatt tecken, och skicka den sedan med rätt datum och en ny leveransnyckel.',
    statements:
      'De räknas i den period som de har. Om den är fel: skicka den perioden igen med värdet 0, och den rätta perioden med alla sina rader.',
  },
}
