import type { Language } from './addresses.ts'
import type { Section } from './navigation.ts'

/** The texts around the documents. */
const en = {
  documentation: 'Documentation',
  skip: 'Skip to content',
  menu: 'Menu',
  pages: 'Pages',
  path: 'Breadcrumbs',
  onThisPage: 'On this page',
  search: 'Search',
  searchField: 'Search the documentation',
  choose: 'choose',
  open: 'open',
  otherLanguage: 'Svenska',
  service: 'Go to Numera',
  reference: 'API reference',
  around: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  output: 'Output',
  lost: {
    title: 'Page not found',
    text: 'The address is wrong, or the page has a new name. Search for it, or go to the start page.',
    front: 'Go to the start page',
  },
  sections: {
    Begin: 'Get started',
    Send: 'Send',
    Read: 'Read',
    Apps: 'Apps',
    Run: 'Operate',
    'Look up': 'Reference',
  } satisfies Record<Section, string>,
  front: {
    summary:
      'A company’s systems send their own numbers to Numera. People and apps read them back exactly, and can see the deliveries behind each one.',
    ways: [
      {
        address: '/docs/start-here',
        title: 'Send your first numbers',
        text: 'Create a source, push to it and read the sample, in five minutes.',
      },
      {
        address: '/docs/apps',
        title: 'Build an app',
        text: 'Ask a member for access to their company’s numbers, and read them.',
      },
      {
        address: '/docs/api',
        title: 'Try the API',
        text: 'Every call with its fields, responses and errors, and a form to try it.',
      },
    ],
    demo: {
      title: 'Try it now',
      text: 'This is a demo with made-up companies. The demo connection reads two years of a web shop’s samples with a public credential. Paste this:',
      run: 'Run it here',
      push: 'You can also try a push, with a source of your own and a sandbox credential valid for one hour. No one else sees what you send.',
      visit: 'Get a sandbox credential',
    },
    machines: 'For machines',
    openapi: 'The description of the API, for client generators.',
    collection: 'All calls, for Postman and compatible tools.',
    llms: 'This documentation as plain text, for language models.',
  },
}

const sv: typeof en = {
  documentation: 'Dokumentation',
  skip: 'Hoppa till innehållet',
  menu: 'Meny',
  pages: 'Sidor',
  path: 'Sökväg',
  onThisPage: 'På den här sidan',
  search: 'Sök',
  searchField: 'Sök i dokumentationen',
  choose: 'välj',
  open: 'öppna',
  otherLanguage: 'English',
  service: 'Gå till Numera',
  reference: 'API-referens',
  around: 'Föregående och nästa sida',
  previous: 'Föregående',
  next: 'Nästa',
  output: 'Resultat',
  lost: {
    title: 'Sidan finns inte',
    text: 'Adressen är fel, eller så har sidan ett nytt namn. Sök efter den eller gå till startsidan.',
    front: 'Gå till startsidan',
  },
  sections: {
    Begin: 'Kom i gång',
    Send: 'Skicka',
    Read: 'Läsa',
    Apps: 'Appar',
    Run: 'Drift',
    'Look up': 'Referens',
  },
  front: {
    summary:
      'Ett företags system skickar sina egna siffror till Numera. Medarbetare och appar läser dem exakt och kan se leveranserna bakom var och en.',
    ways: [
      {
        address: '/docs/start-here',
        title: 'Skicka dina första siffror',
        text: 'Skapa en källa, skicka till den och läs värdet, på fem minuter.',
      },
      {
        address: '/docs/apps',
        title: 'Bygg en app',
        text: 'Be en medlem om åtkomst till företagets siffror och läs dem.',
      },
      {
        address: '/docs/api',
        title: 'Prova API:et',
        text: 'Varje anrop med fält, svar och fel, och ett formulär där du kan prova det.',
      },
    ],
    demo: {
      title: 'Prova nu',
      text: 'Det här är en demo med påhittade företag. Demoanslutningen läser två år av en webbutiks värden med en offentlig nyckel. Klistra in det här:',
      run: 'Kör det här',
      push: 'Du kan också prova att skicka, med en egen källa och en testnyckel som gäller i en timme. Ingen annan ser det du skickar.',
      visit: 'Hämta en testnyckel',
    },
    machines: 'För maskiner',
    openapi: 'API:ets beskrivning, för klientgeneratorer.',
    collection: 'Alla anrop, för Postman och liknande verktyg.',
    llms: 'Dokumentationen som ren text, för språkmodeller.',
  },
}

export const texts: Record<Language, typeof en> = { en, sv }
