import type { en } from '../en/identity.ts'
import type { Translated } from '../translated.ts'

/** Texts of an order at the electronic identity, in Swedish. */
export const sv: Translated<typeof en> = {
  waiting: {
    signIn: 'Väntar på att du legitimerar dig …',
    signing: 'Väntar på din underskrift …',
  },
  demo: {
    open: 'Öppna demo-legitimationen',
    continue: 'Svara där och kom tillbaka. Den här sidan fortsätter automatiskt.',
  },
  oidc: {
    open: 'Fortsätt till din e-legitimation',
    continue: 'Du svarar där och skickas sedan tillbaka hit.',
  },
  openHere: 'Öppna BankID på den här enheten',
  thisDevice: 'Använd BankID på den här enheten',
  otherDevice: 'Använd BankID på en annan enhet',
  code: 'QR-kod att läsa av med BankID-appen',
  noCode: 'QR-koden gick inte att hämta. Ladda om sidan.',
  staleCode: 'QR-koden visas igen när anslutningen är tillbaka.',
  scan: {
    how: 'Så läser du av QR-koden',
    start: 'Starta BankID-appen i din telefon.',
    press: 'Tryck på Skanna QR-kod.',
    point: 'Rikta kameran mot koden på den här skärmen.',
  },
  timeLeft: 'Tid kvar: {{time}}',
  offline: 'Tjänsten går inte att nå. Sidan fortsätter att försöka.',
  bankId: {
    RFA1: 'Starta BankID-appen.',
    RFA3: 'Åtgärden avbröts. Försök igen.',
    RFA4: 'En identifiering eller underskrift pågår redan för ditt personnummer. Försök igen.',
    RFA5: 'Något gick fel. Försök igen.',
    RFA6: 'Åtgärden avbröts.',
    RFA8: 'BankID-appen svarar inte. Kontrollera att den är startad och att du har internetanslutning. Försök sedan igen.',
    RFA9: 'Skriv in din säkerhetskod i BankID-appen och välj Identifiera eller Skriv under.',
    RFA13: 'Försöker starta BankID-appen.',
    RFA15A:
      'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här datorn. Om du har ett BankID på kort, sätt in kortet i kortläsaren.',
    RFA15B: 'Söker efter BankID. Säkerställ att du har ett giltigt BankID på den här enheten.',
    RFA16:
      'Ditt BankID är för gammalt eller spärrat. Använd ett annat BankID eller skaffa ett nytt hos din bank.',
    RFA17A: 'Du verkar inte ha BankID-appen/programmet. Installera den och skaffa ett BankID hos din bank.',
    RFA17B: 'Misslyckades att läsa av QR-koden. Starta BankID-appen och läs av QR-koden.',
    RFA21: 'En identifiering eller underskrift pågår.',
    RFA22: 'Något gick fel. Försök igen.',
    RFA23: 'Fotografera och läs av din ID-handling med BankID-appen.',
  },
  next: {
    again: 'Inget har gjorts. Du kan börja om när du vill.',
    replaced:
      'Den ersattes av en annan som har påbörjats i ditt namn. Avbryt den i appen om du inte själv har påbörjat den. Godkänn aldrig något som du inte själv har påbörjat.',
    inProgress:
      'Båda avbröts. Stäng det som appen visar och börja om här. Om du inte själv har påbörjat den andra har någon annan gjort det i ditt namn. Godkänn aldrig något som du inte själv har påbörjat.',
    network: 'Även telefonen med appen måste vara ansluten till internet.',
    bank: 'Du kan beställa ett nytt i bankens app eller på bankens webbplats.',
    own: 'Bara den som är inloggad här kan skriva under, med sitt eget BankID. Om det var ditt kan du beställa ett nytt i bankens app eller på bankens webbplats.',
    install: 'Appen finns i din appbutik och på install.bankid.com.',
    scan: 'En ny kod visas när du försöker igen. Om du saknar appen finns den på install.bankid.com.',
    update: 'Appen är för gammal. Uppdatera den först i din appbutik.',
    risk: 'BankID stoppade det eftersom det såg osäkert ut. Använd en egen enhet och ett eget nätverk. Om du själv har påbörjat det och det stoppas igen, kontakta din bank.',
    tell: 'Om det händer igen, meddela den som driver tjänsten att BankID svarade ”{{reason}}”.',
  },
  reason: {
    refused: 'Du nekade i e-legitimationen. Du kan börja om när du vill.',
    expired: 'Det besvarades inte i tid. Börja om, och svara inom några minuter.',
    other_person:
      'Någon annan svarade. Bara den som är inloggad här kan skriva under. Använd din egen e-legitimation, eller logga in som den som ska skriva under.',
    other_network:
      'BankID-appen var på ett annat nätverk än den här sidan, så vi kan inte se att båda finns på den här enheten. Läs av QR-koden med telefonen som har ditt BankID. Om det är den här telefonen, stäng av VPN och iCloud Privat reläservice och välj sedan Använd BankID på den här enheten.',
    no_public_address:
      'Tjänsten ser inte din nätverksadress, så BankID startades inte. Meddela den som driver tjänsten att NUMERA_TRUST_PROXY måste ange varje proxy framför den.',
    unavailable:
      '{{provider}} går inte att nå just nu. Inget har gjorts. Vänta några minuter och försök igen.',
    not_verified:
      '{{provider}} gav ett svar som inte gick att kontrollera, så det användes inte. Försök igen. Om det händer igen, kontakta den som driver tjänsten.',
    over: 'Försöket är avslutat. Börja om.',
    other:
      'E-legitimationen kunde inte fortsätta ({{reason}}). Försök igen. Om det händer igen, kontakta den som driver tjänsten.',
  },
  byCode: 'Läs av QR-koden i stället',
  return: {
    title: 'Tillbaka från BankID',
    other: 'Påbörjat i en annan webbläsare',
    goBack:
      'BankID öppnade den här sidan i en webbläsare där du inte har påbörjat något, så du har inte loggats in här. Om du började i en annan webbläsare eller app på enheten, gå tillbaka dit. Där fortsätter det automatiskt.',
    warning:
      'Om du inte själv har påbörjat det här kan någon ha skickat en länk till dig för att logga in som du. Bekräfta aldrig något i BankID som du inte själv har påbörjat.',
    start: 'Gå till startsidan',
  },
  electronicIdentity: 'E-legitimationen',
}
