import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/cli/bundle.ts', 'test/support/announce-mode.ts'],
    setupFiles: 'test/support/fast-check.ts',
    // `npm run test:deep`: see test/support/deep.ts.
    provide: { isDeep: mode === 'deep', isOnAllHosts: mode !== 'test' },
    // To load the source again for every file would take as long as the tests themselves.
    isolate: false,
    // The compiled modules of the last run are read from disk, instead of being compiled again.
    experimental: { fsModuleCache: true },
    // One worker more than cores: some tests wait for timers, sockets and processes.
    maxWorkers: availableParallelism() + 1,
    // A promise that nobody handles, or anything else that goes wrong unseen, fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    // Tests of the command line start processes, which take their time on a busy machine.
    testTimeout: mode === 'deep' ? 120_000 : 20_000,
  },
}))
