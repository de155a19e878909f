// The walls of the house: which folder may import which. See ARCHITECTURE.md, "Walls".

// The ways into what is pure; the rule below holds for all that they reach.
const pure =
  '^src/(json/|csv/|sie/|deliveries/read-document-delivery[.]ts|sources/check-declaration[.]ts|reading/(compile-plan|fold-delivery|combine|delivery-fold)[.]ts)'
const areas =
  'companies|memberships|sessions|sources|connections|deliveries|samples|oauth|app-connections|identity|reports|usage'

// The web app's folders from the top, each with those below it that it may import. What is not named here is imported
// by nothing.
const webFolders = {
  apps: 'session|ui|language|api',
  consent: 'session|identity|ui|language|api',
  session: 'identity|ui|api',
  identity: 'api',
  ui: 'language|api',
  language: '',
  api: '',
}
const webTests = '([.]test[.]ts$|^web/src/testing/)'

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
        path: '^(src/(database|http|config|access|clock)/|src/(clock|context)[.]ts|node_modules/(pg|fastify|pino)/)',
        reachable: true,
      },
    },
    {
      name: 'queries-stay-at-home',
      comment: 'An area reaches another through its use cases, never through its SQL.',
      severity: 'error',
      from: { path: `^src/(${areas}|access|reading|keys|operator|demo|http)/` },
      to: { path: `^src/(${areas}|access|reading|keys)/.*queries[.]ts$`, pathNot: '^src/$1/' },
    },
    {
      name: 'foundations-know-no-area',
      comment: 'The database, the configuration, the keys and the clock serve every area and know none.',
      severity: 'error',
      from: { path: '^src/(database|config|keys|clock|ids|log)', pathNot: '[.]test[.]ts$' },
      to: { path: `^src/(${areas}|access|reading|http|operator|demo)/` },
    },
    {
      name: 'acceptance-is-a-black-box',
      comment: 'The acceptance suite speaks HTTP and the command line, as a user does.',
      severity: 'error',
      from: { path: '^acceptance' },
      to: { path: '^src' },
    },
    {
      name: 'trials-are-a-black-box',
      comment: 'They speak HTTP, sockets, the command line and SQL to what they start.',
      severity: 'error',
      from: { path: '^trials' },
      to: { path: '^(src|web|bench)/' },
    },
    {
      name: 'the-pages-stand-alone',
      comment: 'They know the service by the generated types of its console API, and run in a browser.',
      severity: 'error',
      from: { path: '^web/src', pathNot: webTests },
      to: { path: '^(src|scripts|acceptance|trials|bench)/' },
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
    ...Object.entries({ ...webFolders, 'main[.]tsx': Object.keys(webFolders).join('|') }).map(
      ([from, below]) => ({
        name: 'the-pages-run-down',
        comment: 'main, then apps and consent, session, identity, ui, and language and api at the bottom.',
        severity: 'error',
        from: { path: `^web/src/${from}(/|$)`, pathNot: webTests },
        to: { path: '^web/src/', pathNot: `^web/src/(${[from, below].filter(Boolean).join('|')})(/|$)` },
      }),
    ),
    {
      name: 'the-service-knows-no-page',
      comment: 'It serves the pages as they were built, and imports nothing of them.',
      severity: 'error',
      from: { path: '^(src|acceptance)' },
      to: { path: '^web/' },
    },
    {
      name: 'the-service-ships-no-test-code',
      comment: 'Tests import the service, never the other way round.',
      severity: 'error',
      from: { path: '^src', pathNot: '([.]test[.]ts$|^src/testing/|^src/database/testing[.]ts$)' },
      to: {
        path: '([.]test[.]ts$|^src/testing/|^src/database/testing[.]ts$|node_modules/(vitest|fast-check)/)',
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
