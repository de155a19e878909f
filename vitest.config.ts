import { defineConfig } from 'vitest/config'

/** What takes long because it kills and waits, and what does what another test does with one more client. */
const slow = '**/*.slow.test.ts'
const service = '**/*.service.test.ts'
const serviceSlow = 'src/**/*.slow.test.ts'
/** What measures how quickly the service answers: nothing else may run meanwhile. */
const alone = ['trials/**/*.slow.test.ts', 'acceptance/bankid-orders.slow.test.ts']
/** The pages alone, in a browser. */
const browser = '**/*.browser.test.ts'
/** First, so that it ends last: searches what was logged for what no log may hold. */
const searchedLogs = 'testing/process/run-logs.ts'
/** On a busy machine a thread that starts, or a page that is drawn, takes longer than the second that is usual. */
const patient = { poll: { timeout: 10_000 } }

/**
 * The rings: `unit` is pure and needs nothing; `service` runs the service in this process on a real database;
 * `acceptance` knows the service by its HTTP address and the pages by a browser, and imports nothing of the service; `slow` and
 * `service-slow` are what of the latter two takes long; `alone` measures, one file at a time, and is the short form of what `npm run
 * trials` does to the service.
 * `npm test` runs the first three, `npm run test:full` all, with every made-up case (`testing/in-process/made-up-cases.ts`).
 */
export default defineConfig({
  test: {
    // Each waits for its database and for what it started a third of its time: three keep two cores busy.
    maxWorkers: 3,
    // Those that are said to run side by side wait most of the time.
    maxConcurrency: 12,
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
          // What is pure leaves nothing behind for the next file; a process for each would take most of the time.
          isolate: false,
          // Thousands of made-up cases, on a machine that does other things too.
          testTimeout: 30_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'service',
          include: ['{src,demo,testing}/**/*.service.test.ts'],
          globalSetup: [searchedLogs, 'testing/in-process/global-setup.ts'],
          // Importing the service takes longer than most files' tests: each worker does it once. A file's database, app
          // and metrics are its own, and a thread of them is ended by the file that started it.
          isolate: false,
          testTimeout: 30_000,
          expect: patient,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts', browser],
          exclude: [slow, '**/node_modules/**'],
          globalSetup: [searchedLogs, 'testing/process/global-setup.ts'],
          setupFiles: ['testing/process/use-cluster.ts'],
          // What is tested runs in processes of its own.
          isolate: false,
          testTimeout: 30_000,
          expect: patient,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'service-slow',
          include: [serviceSlow],
          globalSetup: [searchedLogs, 'testing/in-process/global-setup.ts'],
          testTimeout: 120_000,
          expect: patient,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'slow',
          include: ['acceptance/**/*.slow.test.ts'],
          exclude: [...alone, '**/node_modules/**'],
          globalSetup: [searchedLogs, 'testing/process/global-setup.ts'],
          setupFiles: ['testing/process/use-cluster.ts'],
          // Each bounds itself, and ends what it started.
          testTimeout: 300_000,
          expect: patient,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'alone',
          include: alone,
          fileParallelism: false,
          globalSetup: [searchedLogs, 'testing/process/global-setup.ts'],
          setupFiles: ['testing/process/use-cluster.ts'],
          // Each bounds itself, and ends what it started.
          testTimeout: 300_000,
          expect: patient,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
