import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Takes long, or only matters before a release: faults, real waiting, measured times, whole walks. */
const slow = '**/*.slow.test.ts'
const service = '**/*.service.test.ts'
/** Measures how quickly the service answers or stops, so nothing else may run at the same time. */
const alone = [
  'trials/**/*.slow.test.ts',
  'acceptance/{bankid-orders,first-paint,upgrade}.slow.test.ts',
  'src/console/deliveries/follow/follow.slow.test.ts',
  'src/engine/deliveries/{push/large-pushes,webhooks/large-webhooks}.slow.test.ts',
  'src/app/{standbys,backup/start-backup}.slow.test.ts',
]
/** Only the pages, in a browser. */
const browser = '**/*.browser.test.ts'
/** They take minutes, which by their size is not seen: begun last, they would keep one worker busy while the others have nothing left. */
const longest = ['every-page', 'demo-people', 'reference', 'backup', 'bankid-on-phones', 'bankid-in-browser']

const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((name) => moduleId.endsWith(`/acceptance/${name}.slow.test.ts`))
  return at < 0 ? longest.length : at
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** The first set-up, so that it ends last: it searches everything that was logged for what no log may contain. */
const searchedLogs = 'testing/process/run-logs.ts'
/** On the nodes of a Citus, which share this machine, everything may take longer. */
const times = process.env['NUMERA_TEST_CITUS_URL'] ? 4 : 1
/** On a busy machine, starting a thread or drawing a page takes longer than the default second. */
const patient = { poll: { timeout: 10_000 * times } }
/** When a test or hook counts as hanging. What must happen within a time, a test asserts by itself. */
const hanging = (minutes: number) => ({ testTimeout: minutes * 60_000, hookTimeout: minutes * 60_000 })

/**
 * The rings: `unit` is pure; `service` runs the service in this process on a real database; `acceptance` knows the service
 * by its HTTP address and the pages by a browser, and imports nothing of the service; `service-slow` and `slow` are the slow
 * tests of these two; `alone` measures, one file at a time, and contains the short form of `npm run trials`.
 * `npm test` runs the first three, `npm run test:full` all of them, with all generated cases
 * (`testing/cases/made-up-cases.ts`) and each page in all looks (`testing/browser/screens.ts`).
 */
export default defineConfig({
  test: {
    // A worker waits a third of its time, for its database and for processes: three keep two cores busy.
    maxWorkers: 3,
    // Concurrent tests wait most of the time.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{src,demo,testing}/**/*.test.ts',
            'web/src/**/*.test.ts',
            'web/docs/**/*.test.ts',
            'scripts/**/*.test.ts',
            'packages/**/*.test.ts',
            'trials/**/*.test.ts',
            'stand-ins/**/*.test.ts',
          ],
          exclude: [service, slow, browser, '**/node_modules/**'],
          // Pure code leaves nothing behind for the next file, and a process for each file would take most of the time.
          isolate: false,
          ...hanging(2),
          expect: patient,
        },
      },
      {
        test: {
          name: 'service',
          include: ['{src,demo,testing,packages}/**/*.service.test.ts'],
          globalSetup: [searchedLogs, 'testing/in-process/global-setup.ts'],
          // Importing the service takes longer than the tests of most files, so each worker does it once. Each file has its
          // own database, app and metrics, and ends the threads that it started.
          isolate: false,
          ...hanging(2 * times),
          expect: patient,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts', browser],
          exclude: [slow, '**/node_modules/**'],
          globalSetup: [searchedLogs, 'testing/process/global-setup.ts'],
          setupFiles: ['testing/process/use-cluster.ts'],
          // The service under test runs in a process of its own. The files of a worker share a browser.
          isolate: false,
          ...hanging(2 * times),
          expect: patient,
        },
      },
      {
        test: {
          name: 'service-slow',
          include: ['{src,demo,testing,scripts}/**/*.slow.test.ts'],
          exclude: [...alone, '**/node_modules/**'],
          globalSetup: [searchedLogs, 'testing/in-process/global-setup.ts'],
          ...hanging(10),
          expect: patient,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['{acceptance,web,packages}/**/*.slow.test.ts'],
          exclude: [...alone, '**/node_modules/**'],
          globalSetup: [searchedLogs, 'testing/process/global-setup.ts'],
          setupFiles: ['testing/process/use-cluster.ts'],
          ...hanging(10),
          expect: patient,
        },
      },
      {
        test: {
          name: 'alone',
          include: alone,
          fileParallelism: false,
          globalSetup: [
            searchedLogs,
            'testing/process/global-setup.ts',
            'testing/in-process/global-setup.ts',
          ],
          setupFiles: ['testing/process/use-cluster.ts'],
          ...hanging(10),
          expect: patient,
        },
      },
    ],
  },
})
