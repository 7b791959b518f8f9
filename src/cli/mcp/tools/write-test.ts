import { segment } from '../../../client/call.js'
import { UsageError } from '../../../engine/errors.js'
import { inputOf, type Tool } from './tool.js'

/** The paths of tests, by the argument that selects one. */
const PATHS = {
  request: (id: string) => `/journal/${segment(id)}/test`,
  task: (id: string) => `/tasks/${segment(id)}/test`,
  finding: (id: string) => `/findings/${segment(id)}/test`,
} as const

export const writeTest: Tool = {
  name: 'write_test',
  title: 'Write a Vitest file that reproduces a case',
  effect: 'reads',
  operations: ['sim.journal.test', 'sim.tasks.test', 'sim.findings.test'],
  description:
    'Write a whole Vitest file that reproduces an answer, a task or a mistake in process, without a server. It needs the packages tasksim, msw and vitest. Give one of `request`, `task` and `finding`.',
  input: inputOf({
    request: { type: 'string', description: 'The id of a request, which gets the same answer in the test' },
    task: { type: 'string', description: 'The id of a task, which gets the same result in the test' },
    finding: {
      type: 'string',
      description: 'The id of a rule of get_findings: the test fails if the client makes this mistake',
      examples: ['polls-too-fast'],
    },
  }),
  run(given, { session }) {
    const [[what, id] = [], ...others] = Object.entries(given)
    if (what === undefined || others.length > 0)
      throw new UsageError(
        'Give one of `request`, `task` and `finding`, such as {"finding": "polls-too-fast"}.',
      )
    return session.call('GET', PATHS[what as keyof typeof PATHS](String(id)))
  },
}
