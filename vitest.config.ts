import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The time limit of a test in milliseconds. Nothing in a test has a shorter one, which a busy machine may exceed. */
const TIME_LIMIT = { deep: 300_000, others: 60_000 }

/** Tests that share a process with no others. */
const ALONE = [
  // They count the timers of the process.
  'test/control/{forgotten-sandboxes,slow-readers}.test.ts',
  'test/engine/clock/{pauses,schedule,virtual-clock}.test.ts',
  'test/engine/progress/task-waits.test.ts',
  'test/hosts/early-answers.test.ts',
  // They explore clients in their own process, and abandon those that never end.
  'test/explore/corpus/*.test.ts',
  'test/explore/official/official.deep.test.ts',
  'test/vitest/{explore,in-process-driver,dialects}.test.ts',
]

/** The files whose deep tests take longest: from these on, no worker waits for the others at the end. */
const LONGEST = [
  'test/inspect/findings/soundness/soundness.test.ts',
  'test/ledger/mutated-states.test.ts',
  'test/record/end-to-end.deep.test.ts',
]

/** Begins with the longest files. In a clean clone, Vitest knows only the sizes of files. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Tests that a mode leaves out. */
function leftOut(mode: string): string[] {
  return [
    // Files with nothing but deep tests.
    ...(mode === 'deep' ? [] : ['test/**/*.deep.test.ts']),
    // Clients that take longer to load than to test.
    ...(mode === 'test' ? ['test/dialects/wrappers/**'] : []),
  ]
}

/** What all tests have in common in a mode: `test`, `hosts` for `npm run test:matrix`, or `deep`; see test/support/deep.ts. */
export function commonOptions(mode: string) {
  const isDeep = mode === 'deep'
  const timeout = isDeep ? TIME_LIMIT.deep : TIME_LIMIT.others
  return {
    globalSetup: ['test/cli/bundle.ts', 'test/support/announce-mode.ts'],
    setupFiles: 'test/support/fast-check.ts',
    provide: { isDeep, isOnAllHosts: mode !== 'test' },
    // The compiled modules of the last run are read from disk, instead of being compiled again.
    experimental: { fsModuleCache: true },
    // A promise that nobody handles, or anything else that goes wrong unseen, fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    // Tests of the command line start processes, which take their time on a busy machine.
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { interval: 2, timeout } },
  }
}

export default defineConfig(({ mode }) => {
  // Each project says it all: what a project extends does not get the mode of the run.
  const common = commonOptions(mode)
  const exclude = leftOut(mode)
  return {
    test: {
      // By default, Vitest leaves one core to others. Deep tests wait longer, so one worker more than cores is faster.
      maxWorkers: availableParallelism() + (mode === 'deep' ? 1 : 0),
      ...(mode === 'deep' && { sequence: { sequencer: LongestFirst } }),
      projects: [
        {
          test: {
            ...common,
            name: 'shared',
            include: ['test/**/*.test.ts'],
            exclude: [...exclude, ...ALONE],
            // To load the source again for every file would take as long as the tests themselves.
            isolate: false,
          },
        },
        { test: { ...common, name: 'alone', include: ALONE, exclude, isolate: true } },
      ],
    },
  }
})
