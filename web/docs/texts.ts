import type { Language } from './addresses.ts'
import type { Section } from './navigation.ts'

/** What stands around the documents, in each language. */
const en = {
  documentation: 'Documentation',
  skip: 'To the content',
  menu: 'Menu',
  pages: 'Pages',
  path: 'Where this page stands',
  onThisPage: 'On this page',
  search: 'Search',
  otherLanguage: 'Svenska',
  service: 'To Numera',
  reference: 'API reference',
  around: 'Before and after this page',
  previous: 'Previous',
  next: 'Next',
  output: 'Output',
  lost: {
    title: 'There is no such page',
    text: 'The address is wrong, or the page has another name now. Search for it, or begin at the front page.',
    front: 'To the front page',
  },
  sections: {
    Begin: 'Begin',
    Send: 'Send',
    Read: 'Read',
    Apps: 'Apps',
    Run: 'Run',
    'Look up': 'Look up',
  } satisfies Record<Section, string>,
  front: {
    summary:
      'A company’s systems push their own numbers into Numera. Its people and apps read them back: exact, and each with the deliveries behind it.',
    ways: [
      {
        address: '/docs/start-here',
        title: 'Send your first numbers',
        text: 'Five minutes: a source of your own, a push, and the sample that comes of it.',
      },
      {
        address: '/docs/apps',
        title: 'Build an app',
        text: 'Ask a member for their company’s numbers, and read what they allow.',
      },
      {
        address: '/docs/api',
        title: 'Try the API',
        text: 'Every call with its fields, answers and errors, and a form that makes it.',
      },
    ],
    demo: {
      title: 'Try it now',
      text: 'This is a demo: all companies in it are made up. Its demo connection reads a year of a web shop’s samples, with a credential that is published. Paste this:',
      run: 'Run it here',
      push: 'Try a push as well: with a source of your own, and a sandbox credential for it that works for an hour. Others do not see what you send with it.',
      visit: 'Get a sandbox credential',
    },
    machines: 'For machines',
    openapi: 'The API’s document, for generators of clients.',
    collection: 'All calls, for Postman and what reads its collections.',
    llms: 'This documentation as plain text, for language models.',
  },
}

const sv: typeof en = {
  documentation: 'Dokumentation',
  skip: 'Till innehållet',
  menu: 'Meny',
  pages: 'Sidor',
  path: 'Var sidan finns',
  onThisPage: 'På den här sidan',
  search: 'Sök',
  otherLanguage: 'English',
  service: 'Till Numera',
  reference: 'API-referens',
  around: 'Före och efter den här sidan',
  previous: 'Föregående',
  next: 'Nästa',
  output: 'Resultat',
  lost: {
    title: 'Sidan finns inte',
    text: 'Adressen är fel, eller så heter sidan något annat nu. Sök efter den, eller börja på förstasidan.',
    front: 'Till förstasidan',
  },
  sections: {
    Begin: 'Börja',
    Send: 'Skicka',
    Read: 'Läsa',
    Apps: 'Appar',
    Run: 'Drift',
    'Look up': 'Slå upp',
  },
  front: {
    summary:
      'Ett företags system skickar sina egna siffror till Numera. Dess medarbetare och appar läser dem: exakta, och var och en med leveranserna bakom.',
    ways: [
      {
        address: '/docs/start-here',
        title: 'Skicka dina första siffror',
        text: 'Fem minuter: en egen källa, en leverans och värdet som den ger.',
      },
      {
        address: '/docs/apps',
        title: 'Bygg en app',
        text: 'Be en medlem om företagets siffror, och läs det som tillåts.',
      },
      {
        address: '/docs/api',
        title: 'Prova API:et',
        text: 'Varje anrop med fält, svar och fel, och ett formulär som gör det.',
      },
    ],
    demo: {
      title: 'Prova nu',
      text: 'Det här är en demo: alla företag i den är påhittade. Demoanslutningen läser ett år av en webbutiks värden, med en nyckel som är offentlig. Klistra in det här:',
      run: 'Kör det här',
      push: 'Prova att skicka också: med en egen källa och en testnyckel till den som gäller i en timme. Andra ser inte det du skickar med den.',
      visit: 'Hämta en testnyckel',
    },
    machines: 'För maskiner',
    openapi: 'API:ets beskrivning, för den som genererar klienter.',
    collection: 'Alla anrop, för Postman och det som läser dess samlingar.',
    llms: 'Dokumentationen som ren text, för språkmodeller.',
  },
}

export const texts: Record<Language, typeof en> = { en, sv }
