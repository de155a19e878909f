/** BankID's recommended texts for a pending order (hint, code scanned with another device, opened on a phone). */
export const pendingMessages: Record<'en' | 'sv', [hint: string, scanned: string, opened: string][]> = {
  en: [
    ['outstandingTransaction', 'Start your BankID app.', 'Trying to start your BankID app.'],
    ['noClient', 'Start your BankID app.', 'Start your BankID app.'],
    [
      'started',
      'An identification or signing is in progress.',
      'Searching for BankID. Make sure you have a valid BankID on this device.',
    ],
    ...same('userMrtd', 'Take a photo of, and scan, your ID document with the BankID app.'),
    ...same('userSign', 'Enter your security code in the BankID app and select Identify or Sign.'),
    ...same('userCallConfirm', 'An identification or signing is in progress.'),
    ...same('processing', 'An identification or signing is in progress.'),
  ],
  sv: [
    ['outstandingTransaction', 'Starta BankID-appen.', 'Försöker starta BankID-appen.'],
    ['noClient', 'Starta BankID-appen.', 'Starta BankID-appen.'],
    [
      'started',
      'En identifiering eller underskrift pågår.',
      'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här enheten.',
    ],
    ...same('userMrtd', 'Fotografera och läs av din ID-handling med BankID-appen.'),
    ...same('userSign', 'Skriv in din säkerhetskod i BankID-appen och välj Identifiera eller Skriv under.'),
    ...same('userCallConfirm', 'En identifiering eller underskrift pågår.'),
    ...same('processing', 'En identifiering eller underskrift pågår.'),
  ],
}

function same(hint: string, message: string): [string, string, string][] {
  return [[hint, message, message]]
}

/** For a failed order: BankID's text, and part of what to do next. */
export const failureMessages: Record<'en' | 'sv', [reason: string, message: string, next: string][]> = {
  en: [
    ['userCancel', 'The action was cancelled.', 'You can start again'],
    [
      'cancelled',
      'The action was cancelled. Please try again.',
      'If you did not start that one, cancel it in the app. Never approve anything you did not start yourself.',
    ],
    [
      'alreadyInProgress',
      'An identification or signature is already in progress for your personal identity number. Please try again.',
      'Close what the app shows and start again here. If you did not start the other one, someone else did so in your name. Never approve anything you did not start yourself.',
    ],
    [
      'expiredTransaction',
      'The BankID app is not responding. Please check that it’s started and that you have internet access. Try again.',
      'The phone with the app must also be online',
    ],
    [
      'certificateErr',
      'Your BankID is blocked or too old. Please use another BankID or get a new one from your bank.',
      'You can order a new one in your bank’s app',
    ],
    [
      'startFailed',
      'Failed to scan the QR code. Start the BankID app and scan the QR code.',
      'A new code is shown when you try again',
    ],
    ['notSupportedByUserApp', 'Something went wrong. Please try again.', 'Update it in your app store'],
    ['transactionRiskBlocked', 'Something went wrong. Please try again.', 'Use your own device and network'],
    ['userDeclinedCall', 'Something went wrong. Please try again.', 'BankID answered “userDeclinedCall”'],
    ['newWord', 'Something went wrong. Please try again.', 'BankID answered “newWord”'],
    [
      'unavailable',
      'Something went wrong. Please try again. BankID cannot be reached right now.',
      'Wait a few minutes',
    ],
    [
      'not_verified',
      'BankID gave an answer that could not be verified',
      'contact the operator of this service',
    ],
    ['expired', 'It was not answered in time.', 'answer within a few minutes'],
    ['other_network', 'The BankID app was on a different network', 'choose Use BankID on this device'],
    ['no_public_address', 'This service cannot see your network address', 'NUMERA_TRUST_PROXY'],
  ],
  sv: [
    ['userCancel', 'Åtgärden avbröts.', 'Du kan börja om'],
    [
      'cancelled',
      'Åtgärden avbröts. Försök igen.',
      'Avbryt den i appen om du inte själv har påbörjat den. Godkänn aldrig något som du inte själv har påbörjat.',
    ],
    [
      'alreadyInProgress',
      'En identifiering eller underskrift pågår redan för ditt personnummer. Försök igen.',
      'Stäng det som appen visar och börja om här. Om du inte själv har påbörjat den andra har någon annan gjort det i ditt namn. Godkänn aldrig något som du inte själv har påbörjat.',
    ],
    [
      'expiredTransaction',
      'BankID-appen svarar inte. Kontrollera att den är startad och att du har internetanslutning. Försök sedan igen.',
      'Även telefonen med appen',
    ],
    [
      'certificateErr',
      'Ditt BankID är för gammalt eller spärrat. Använd ett annat BankID eller skaffa ett nytt hos din bank.',
      'Du kan beställa ett nytt i bankens app',
    ],
    [
      'startFailed',
      'Misslyckades att läsa av QR-koden. Starta BankID-appen och läs av QR-koden.',
      'En ny kod visas när du försöker igen',
    ],
    ['notSupportedByUserApp', 'Något gick fel. Försök igen.', 'Uppdatera den först i din appbutik'],
    ['transactionRiskBlocked', 'Något gick fel. Försök igen.', 'Använd en egen enhet'],
    ['userDeclinedCall', 'Något gick fel. Försök igen.', 'BankID svarade ”userDeclinedCall”'],
    ['newWord', 'Något gick fel. Försök igen.', 'BankID svarade ”newWord”'],
    ['unavailable', 'Något gick fel. Försök igen. BankID går inte att nå just nu.', 'Vänta några minuter'],
    ['not_verified', 'BankID gav ett svar som inte gick att kontrollera', 'kontakta den som driver tjänsten'],
    ['expired', 'Det besvarades inte i tid.', 'svara inom några minuter'],
    ['other_network', 'BankID-appen var på ett annat nätverk', 'välj sedan Använd BankID på den här enheten'],
    ['no_public_address', 'Tjänsten ser inte din nätverksadress', 'NUMERA_TRUST_PROXY'],
  ],
}

/** Shown while a computer is searched for BankID. */
export const searching = {
  en: 'Searching for BankID. Make sure you have a valid BankID on this computer. If you have a BankID on card, please insert the card into your card reader.',
  sv: 'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här datorn. Om du har ett BankID på kort, sätt in kortet i kortläsaren.',
}

export const appMissing = {
  en: 'You don’t seem to have the BankID app/program. Please install it and get a BankID from your bank.',
  sv: 'Du verkar inte ha BankID-appen/programmet. Installera den och skaffa ett BankID hos din bank.',
}
