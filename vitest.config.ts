import { defineConfig } from 'vitest/config'

/**
 * Four rings: `unit` is pure and needs nothing; `service` runs the service in this process on a real database;
 * `acceptance` knows the service by its HTTP address only and imports nothing of it; `trials` is the short form of what
 * `npm run trials` does to it.
 */
export default defineConfig({
  test: {
    // The database under the tests needs a core of its own on a small machine.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'web/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'packages/**/*.test.ts',
          ],
          exclude: ['**/*.service.test.ts', '**/node_modules/**'],
          // Thousands of made-up cases, on a machine that does other things too.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'service',
          include: ['src/**/*.service.test.ts'],
          globalSetup: ['src/testing/global-setup.ts'],
          // Importing the service takes longer than most files' tests: each worker does it once. A file's database, app
          // and metrics are its own, and a thread of them is ended by the file that started it.
          isolate: false,
          testTimeout: 30_000,
          // A thread that starts on a busy machine takes longer than the second that is usual.
          expect: { poll: { timeout: 10_000 } },
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'trials',
          include: ['trials/**/*.test.ts'],
          // Each bounds itself, and ends what it started.
          testTimeout: 300_000,
        },
      },
    ],
  },
})
