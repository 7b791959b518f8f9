import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** The time limit of a test in milliseconds. Nothing in a test has a shorter one, which a busy machine may exceed. */
const TIME_LIMIT = { deep: 120_000, others: 20_000 }

/** Tests that explore clients in their own process, and abandon those that never end. */
const ABANDONING = [
  'test/explore/corpus*.test.ts',
  'test/explore/official/*.test.ts',
  'test/vitest/{explore,in-process-driver,dialects}.test.ts',
]

/** Tests that a mode leaves out. */
function leftOut(mode: string): string[] {
  return [
    // Files with nothing but deep tests.
    ...(mode === 'deep' ? [] : ['test/**/*.deep.test.ts']),
    // Clients that take longer to load than to test.
    ...(mode === 'test' ? ['test/dialects/wrappers/**'] : []),
  ]
}

export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep'
  const timeout = isDeep ? TIME_LIMIT.deep : TIME_LIMIT.others
  const exclude = leftOut(mode)
  // Each project says it all: what a project extends does not get the mode of the run.
  const common = {
    globalSetup: ['test/cli/bundle.ts', 'test/support/announce-mode.ts'],
    setupFiles: 'test/support/fast-check.ts',
    // Modes: `test`, `hosts` for `npm run test:matrix`, and `deep`; see test/support/deep.ts.
    provide: { isDeep, isOnAllHosts: mode !== 'test' },
    // The compiled modules of the last run are read from disk, instead of being compiled again.
    experimental: { fsModuleCache: true },
    // A promise that nobody handles, or anything else that goes wrong unseen, fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    // Tests of the command line start processes, which take their time on a busy machine.
    testTimeout: timeout,
    expect: { poll: { interval: 2, timeout } },
  }
  return {
    test: {
      // By default, Vitest leaves one core to others. Deep tests wait longer, so one worker more than cores is faster.
      maxWorkers: availableParallelism() + (isDeep ? 1 : 0),
      projects: [
        {
          test: {
            ...common,
            name: 'shared',
            include: ['test/**/*.test.ts'],
            exclude: [...exclude, ...ABANDONING],
            // To load the source again for every file would take as long as the tests themselves.
            isolate: false,
          },
        },
        // What an abandoned client still does ends with its process, and is not counted by the tests of others.
        { test: { ...common, name: 'explore', include: ABANDONING, exclude, isolate: true } },
      ],
    },
  }
})
