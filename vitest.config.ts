import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/cli/bundle.ts',
    // A promise that nobody handles, or anything else that goes wrong unseen, fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    // Tests of the command line start processes, which take their time on a busy machine.
    testTimeout: 20_000,
  },
})
