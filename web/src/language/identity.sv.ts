import type { en } from './identity.en.ts'
import type { Translated } from './translated.ts'

/** Texts of an order at the electronic identity, in Swedish. */
export const sv: Translated<typeof en> = {
  waiting: {
    signIn: 'Väntar på att du legitimerar dig …',
    signing: 'Väntar på din underskrift …',
  },
  demo: {
    open: 'Öppna demo-legitimationen',
    goOn: 'Svara där och kom tillbaka: den här sidan fortsätter av sig själv.',
  },
  oidc: {
    open: 'Gå vidare till din e-legitimation',
    goOn: 'Du svarar där och förs sedan tillbaka hit.',
  },
  openHere: 'Öppna BankID på den här enheten',
  thisDevice: 'Använd BankID på den här enheten',
  otherDevice: 'Använd BankID på en annan enhet',
  code: 'QR-kod att läsa av med BankID-appen',
  noCode: 'QR-koden kom inte fram. Ladda om sidan för att få den.',
  staleCode: 'QR-koden visas igen när det finns kontakt.',
  scan: {
    how: 'Så läser du av QR-koden',
    start: 'Starta BankID-appen i din telefon.',
    press: 'Tryck på Skanna QR-kod.',
    point: 'Rikta kameran mot koden på den här skärmen.',
  },
  timeLeft: 'Tid kvar: {{time}}',
  offline: 'Det finns ingen kontakt med tjänsten. Sidan fortsätter att försöka.',
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
    again: 'Inget har hänt. Du kan börja om när du vill.',
    replaced:
      'Den fick ge plats åt en annan som har påbörjats i ditt namn. Avbryt den i appen, om du inte själv har påbörjat den: svara aldrig på något som du inte har påbörjat.',
    inProgress:
      'Båda avbröts. Stäng det som appen visar och börja om här. Om du inte själv har påbörjat den andra har någon annan gjort det i ditt namn: svara aldrig på något som du inte har påbörjat.',
    network: 'Även telefonen med appen måste vara ansluten till internet.',
    bank: 'Du beställer ett nytt i bankens app eller på dess webbplats.',
    own: 'Bara den som är inloggad här kan skriva under, med sitt eget BankID. Var det ditt eget, beställ ett nytt i bankens app eller på dess webbplats.',
    install: 'Appen finns i din appbutik och på install.bankid.com.',
    scan: 'En ny kod visas när du försöker igen. Saknar du appen finns den på install.bankid.com.',
    update: 'Appen är för gammal för det här. Uppdatera den först i din appbutik.',
    risk: 'BankID stoppade det eftersom det såg osäkert ut. Använd en egen enhet och ett eget nätverk. Om ingen annan än du har påbörjat det och det stoppas igen, fråga din bank.',
    tell: 'Går det fel igen, tala om för den som driver tjänsten att BankID svarade ”{{reason}}”.',
  },
  reason: {
    refused: 'Det nekades i e-legitimationen. Du kan börja om när du vill.',
    expired: 'Det besvarades inte i tid. Börja om, och svara inom några minuter.',
    other_person:
      'Någon annan svarade. Bara den som är inloggad här kan skriva under: använd din egen e-legitimation, eller logga in som den som ska skriva under.',
    other_network:
      'BankID-appen var på ett annat nätverk än den här sidan, så vi kan inte se att båda finns på den här enheten. Läs av QR-koden med telefonen som har ditt BankID. Är det den här telefonen, stäng av VPN och iCloud Privat reläservice och välj sedan Använd BankID på den här enheten.',
    no_public_address:
      'Tjänsten ser inte din nätverksadress, så BankID startades inte. Säg till dem som driver tjänsten: NUMERA_TRUST_PROXY måste ange varje proxy framför den.',
    unavailable: '{{provider}} går inte att nå just nu. Inget har hänt. Vänta några minuter och försök igen.',
    not_verified:
      'Svaret från {{provider}} gick inte att kontrollera, så inget gjordes med det. Försök igen. Händer det igen, säg till den som driver tjänsten.',
    over: 'Det här försöket är över. Börja om.',
    other:
      'E-legitimationen kunde inte fortsätta ({{reason}}). Försök igen. Händer det igen, säg till den som driver tjänsten.',
  },
  byCode: 'Läs av QR-koden i stället',
  return: {
    title: 'Tillbaka från BankID',
    other: 'Påbörjat i en annan webbläsare',
    goBack:
      'BankID öppnade den här sidan i en webbläsare där inget har påbörjats, så ingen har loggats in här. Om du började i en annan webbläsare eller app på enheten, gå tillbaka dit: där fortsätter det av sig självt.',
    warning:
      'Om du inte själv har påbörjat det här kan någon ha skickat dig en länk för att logga in som du. Bekräfta aldrig något i BankID som du inte har påbörjat.',
    start: 'Till förstasidan',
  },
  electronicIdentity: 'E-legitimationen',
}
