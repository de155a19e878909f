// The walls of the house: which folder may import which. See ARCHITECTURE.md, "Walls".

/**
 * The rooms of the service from top to bottom, band by band. Rooms on one line stand side by side and do not import each
 * other; a room imports only those of the lines below it. A room holds its subfolders, but for those that are rooms of
 * their own; a file that stands above the rest of its folder is a room too.
 */
const rooms = [
  ['main[.]ts'],

  ['app/operator'],
  ['app'],

  ['mcp'],

  ['console/views'],
  ['console/reports/evidence'],
  ['console/reports', 'console/deliveries', 'console/previews', 'console/reference'],
  ['console/values'],
  [
    'console/app-connections',
    'console/refused-calls',
    'console/companies',
    'console/memberships',
    'console/own-sessions',
    'console/demo-visits',
  ],

  ['oauth/consent'],
  ['oauth/client-routes[.]ts'],
  ['oauth/authorize', 'oauth/metadata', 'oauth/revoke'],
  ['oauth/token'],
  ['oauth/client'],
  ['oauth/register'],
  ['oauth'],

  [
    'company/connections',
    'company/deletions',
    'company/exports',
    'company/links',
    'company/label-names',
    'company/notes',
  ],
  ['company/attention'],
  ['company/sources'],
  ['company/audit'],

  ['engine/samples', 'engine/moves'],
  ['engine/parsing/worker'],
  ['engine/parsing/project'],
  ['engine/deliveries'],
  ['engine/deliveries/push', 'engine/deliveries/webhooks'],
  ['engine/deliveries/store'],
  ['engine/deliveries/intake'],
  ['engine/parsing/decode'],
  ['engine/formats'],
  ['engine/parsing/aggregate'],
  ['engine/parsing/plan'],
  ['engine/projections'],
  ['engine/usage'],
  ['engine/backlog', 'engine/declarations'],
  ['engine/aggregations'],
  ['engine/tables'],
  ['engine/fields'],

  ['people/identity'],
  ['people/members'],
  ['people/companies'],
  ['people/sessions', 'people/access'],

  ['context[.]ts'],

  ['platform/rate-limit', 'platform/reads'],
  ['platform/keys'],
  ['platform/api-documents'],
  ['platform/web-app', 'platform/threads', 'platform/objects'],
  ['platform/http'],
  ['platform/telemetry'],
  ['platform/clock'],
  ['platform/database'],
  ['platform/config'],

  ['formats/sie'],
  ['formats/csv', 'formats/json'],
  ['formats/documents', 'formats/values'],
]

// The ways into what is pure; the rule below holds for all that they reach.
const pure =
  '^src/(formats/|engine/(declarations|aggregations|formats|tables|fields)/|engine/deliveries/intake/read-document-delivery[.]ts|engine/parsing/(plan|aggregate|decode)/)'

const tests = '[.]test[.]ts$'
const allRooms = rooms.flat()
const isFile = (room) => room.endsWith('[.]ts')
/** The files of a room: those of rooms inside it are not among them. */
const filesOf = (room) => {
  if (isFile(room)) return `^src/${room}$`
  const inside = allRooms
    .filter((other) => other.startsWith(`${room}/`))
    .map((other) => other.slice(room.length + 1) + (isFile(other) ? '$' : '/'))
  return inside.length === 0 ? `^src/${room}/` : `^src/${room}/(?!${inside.join('|')})`
}
const roomsRunDown = rooms.flatMap((line, index) =>
  line.map((room) => ({
    name: 'rooms-run-down',
    comment: `${room} imports only what stands below it in the list of rooms.`,
    severity: 'error',
    from: { path: filesOf(room), pathNot: tests },
    to: {
      path: '^src/',
      pathNot: [
        filesOf(room),
        ...rooms
          .slice(index + 1)
          .flat()
          .map(filesOf),
      ],
    },
  })),
)

// The web app's folders from the top, each with those below it that it may import. What is not named here is imported
// by nothing.
const company = 'company|session|ui|language|decimals|api'
const webFolders = {
  views: `reports|saved-views|${company}`,
  reports: `saved-views|${company}`,
  'saved-views': company,
  attention: company,
  sources: company,
  connections: `${company}|identity`,
  deliveries: company,
  members: `${company}|identity`,
  companies: company,
  apps: company,
  invitation: company,
  // The interactive reference: a page of its own, with nothing of the others but the palette and the chosen language.
  reference: 'ui|language/chosen-language[.]ts',
  signatures: `${company}|identity`,
  sessions: `${company}|identity`,
  frame: `saved-views|${company}`,
  consent: 'session|identity|ui|language|api',
  company: 'session|ui|language|decimals|api',
  session: 'identity|ui|api',
  identity: 'ui|api|language',
  ui: 'language|api',
  language: 'decimals',
  decimals: '',
  api: '',
}
// Above them all: the start, and which page an address shows.
const webTop = ['main[.]tsx', 'pages[.]tsx', 'routes[.]tsx', 'page-table[.]ts']
const webTests = '([.]test[.]ts$|^web/src/testing/)'

const clientRules = '(retry|rate|token|key|records|split|sign|decimal)[.]ts$'

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A circle means that two things are one, or that a third is missing.',
      severity: 'error',
      from: { path: '^(src|web/src)/' },
      to: { circular: true },
    },
    {
      name: 'pure-stays-pure',
      comment: 'Reading numbers, times and rows imports no driver, no server, no clock.',
      severity: 'error',
      from: { path: pure, pathNot: '[.]test[.]ts$' },
      to: {
        path: '^(src/(app|people|platform)/|node_modules/(pg|fastify|pino)/)',
        reachable: true,
      },
    },
    {
      name: 'queries-stay-at-home',
      comment: 'An area reaches another through its use cases, never through its SQL.',
      severity: 'error',
      from: { path: '^src/([^/]+/[^/]+)/', pathNot: tests },
      to: { path: 'queries[.]ts$', pathNot: '^src/$1/' },
    },
    ...roomsRunDown,
    {
      name: 'every-file-has-a-room',
      comment: 'A new folder has its place in the list of rooms.',
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, ...allRooms.map(filesOf)] },
      to: {},
    },
    {
      name: 'packages-stand-alone',
      comment: 'What is published knows the service by its API.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '[.]test[.]ts$' },
      to: { path: '^(src|demo|web|testing|acceptance|scripts)/' },
    },
    {
      name: 'rules-of-clients-are-pure',
      comment: 'Given an answer and a count they say what follows; other languages have the same files.',
      severity: 'error',
      from: { path: `^packages/client/src/${clientRules}`, pathNot: '[.]test[.]ts$' },
      to: { pathNot: `^packages/client/src/${clientRules}` },
    },
    {
      name: 'acceptance-is-a-black-box',
      comment: 'The acceptance suite speaks HTTP and the command line, as a user does.',
      severity: 'error',
      from: { path: '^acceptance' },
      to: { path: '^(src|demo|testing/(in-process|cases))/' },
    },
    {
      name: 'trials-are-a-black-box',
      comment: 'They speak HTTP, sockets, the command line and SQL to what they start.',
      severity: 'error',
      from: { path: '^trials' },
      to: { path: '^(src|demo|web|acceptance|bench|testing/(in-process|cases))/' },
    },
    {
      name: 'the-harness-is-a-black-box',
      comment:
        'What acceptance and trials share knows the service by its addresses and its command line, as they do.',
      severity: 'error',
      from: { path: '^testing/(process|browser|faults)/' },
      to: { path: '^(src|demo|web|acceptance|trials|bench|testing/(in-process|cases))/' },
    },
    {
      name: 'the-demo-uses-the-apis',
      comment:
        'Its people, systems and apps use the public and the console API. Of the service they import only the people that ' +
        'the demo identity offers.',
      severity: 'error',
      from: { path: '^demo/(clients|data)/', pathNot: tests },
      to: {
        path: '^(src|demo/deployment|testing|web|acceptance|trials|bench|stand-ins)/',
        pathNot: '^src/people/identity/demo/demo-people[.]ts$',
      },
    },
    {
      name: 'the-demo-is-a-deployment',
      comment:
        'demo/deployment starts the service as `src/app` does, acts as its operator, and creates what no API gives: a past ' +
        '(`open-history.ts`). Each import of the service is listed here.',
      severity: 'error',
      from: { path: '^demo/deployment/', pathNot: tests },
      to: {
        path: '^(src|testing|web|acceptance|trials|bench|stand-ins)/',
        pathNot:
          // Starting, stopping, configuring.
          '^src/(app/(app-context|open-context|require-free-ports|restart-after-fault|start-service|until-stop-signal)' +
          '|platform/config/(config|config-error|read-config)|platform/web-app/web-app|oauth/register/add-reference-app' +
          '|engine/parsing/worker/start-workers|platform/clock/clock|platform/database/(embedded|remove-embedded)' +
          // The operator.
          '|people/companies/(company|add-company|find-company)|console/memberships/add-member' +
          '|company/sources/(list-sources|show-source)|company/connections/add-demo-connection' +
          '|platform/http/errors/errors' +
          // A line for each call.
          '|platform/http/contract|engine/samples/show-delivery|formats/values/printable' +
          // The past.
          '|app/app|app/open-shards|engine/deliveries/store/store|engine/parsing/worker/(parse-worker|worker-pool)' +
          '|engine/projections/maintain-projections|formats/values/uuidv7|people/identity/demo/demo-provider' +
          '|platform/database/(pool|pools)|platform/telemetry/telemetry)[.]ts$',
      },
    },
    {
      name: 'every-demo-file-has-a-place',
      comment: 'demo/ has three folders, and nothing above them.',
      severity: 'error',
      from: { path: '^demo/', pathNot: '^demo/(clients|data|deployment)/' },
      to: {},
    },
    {
      name: 'stand-ins-are-counterparts',
      comment: 'They are made of public rules alone: what they had of the service they could not hold it to.',
      severity: 'error',
      from: { path: '^stand-ins', pathNot: '[.]test[.]ts$' },
      to: { path: '^(src|demo|web|acceptance|trials|bench|testing)/' },
    },
    {
      name: 'the-pages-stand-alone',
      comment:
        'They know the service by the generated types of its console API, and run in a browser. Rules that both follow ' +
        'stand once, in pure files of the service.',
      severity: 'error',
      from: { path: '^web/src', pathNot: webTests },
      to: {
        path: '^(src|demo|testing|scripts|acceptance|trials|bench|stand-ins)/',
        pathNot:
          '^src/(formats/csv/spreadsheet-text|console/previews/words-of-name|engine/declarations/(check-declaration|declaration)|formats/values/(period|rolling-range))[.]ts$',
      },
    },
    {
      name: 'the-pages-have-no-node',
      comment: 'What only Node has is missing in a browser.',
      severity: 'error',
      from: { path: '^web/src', pathNot: webTests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-pages-ship-no-test-code',
      comment: 'Tests import the pages, never the other way round.',
      severity: 'error',
      from: { path: '^web/src', pathNot: webTests },
      to: { path: `(${webTests}|node_modules/(vitest|playwright-core|vite)/)` },
    },
    ...Object.entries(webFolders).map(([from, below]) => ({
      name: 'the-pages-run-down',
      comment: 'A page stands beside the others and above what all of them are made of.',
      severity: 'error',
      from: { path: `^web/src/${from}(/|$)`, pathNot: webTests },
      to: { path: '^web/src/', pathNot: `^web/src/(${[from, below].filter(Boolean).join('|')})(/|$)` },
    })),
    {
      name: 'the-pages-run-down',
      comment: 'Nothing imports what starts the pages, or says which page an address shows.',
      severity: 'error',
      from: { path: '^web/src/[^/]+/', pathNot: webTests },
      to: { path: `^web/src/(${webTop.join('|')})$` },
    },
    {
      name: 'every-page-has-a-place',
      comment: 'A new folder of the pages has its line in the list.',
      severity: 'error',
      from: {
        path: '^web/src/',
        pathNot: [webTests, `^web/src/(${[...webTop, ...Object.keys(webFolders)].join('|')})(/|$)`],
      },
      to: {},
    },
    {
      name: 'the-documents-stand-alone',
      comment: 'They are made of Markdown, and know neither the service nor the pages of companies.',
      severity: 'error',
      from: { path: '^web/docs', pathNot: '[.]test[.]ts$' },
      to: {
        path: '^(src|demo|testing|web/src|scripts|acceptance|trials|bench|stand-ins)/',
        // Parts of the look that are plain files.
        pathNot: '[.](css|svg)$|/(icon-shapes|walk-links)[.]ts$',
      },
    },
    {
      name: 'the-documents-have-no-node',
      comment: 'Their scripts run in a browser.',
      severity: 'error',
      from: { path: '^web/docs/client', pathNot: '[.]test[.]ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-service-knows-no-page',
      comment: 'It serves the pages as they were built, and imports nothing of them.',
      severity: 'error',
      from: { path: '^(src|demo|acceptance)/' },
      to: { path: '^web/' },
    },
    {
      name: 'the-service-ships-no-test-code',
      comment: 'Tests import the service, never the other way round.',
      severity: 'error',
      from: { path: '^src', pathNot: tests },
      to: {
        path: '([.]test[.]ts$|^(testing|stand-ins)/|node_modules/(vitest|fast-check)/)',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    // TypeScript's own compiler is native and has no interface for this tool.
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
