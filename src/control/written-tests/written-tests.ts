import type { Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { entryOf, REQUEST_ID } from '../journal/requests.js'
import { controlOperation } from '../operation.js'
import { TASK_ID, taskOf } from '../tasks/task-shape.js'

const RESPONSES = {
  200: {
    description: 'The file, in TypeScript',
    content: { type: 'text/plain', schema: { type: 'string', description: 'A test file' } },
  },
}

export const testOfTask = controlOperation('sim.tasks.test', {
  tag: 'Tasks',
  summary: 'Write a test in which a task gets the same result',
  description:
    'A whole Vitest file with the scenario, the seed, the requests, the steps of the clock and the expected result. It needs `tasksim`, `msw` and `vitest`. The simulator runs it first. If the requests alone do not give the same result, a directive in them fixes it. Other values replace secrets.',
  params: TASK_ID,
  responses: RESPONSES,
  errors: ['task_not_found', 'conflict'],
  async run(exchange) {
    const task = taskOf(exchange)
    const { taskTest } = await import('./task-test.js')
    return textReply(await taskTest(task, exchange.sim), 'a task gets this result')
  },
})

export const testOfRequest = controlOperation('sim.journal.test', {
  tag: 'Record',
  summary: 'Write a test in which a request gets the same answer',
  description:
    'A whole Vitest file, as for a task. It sends what the answer depends on before the request, such as the requests that use up a rate limit.',
  params: REQUEST_ID,
  responses: RESPONSES,
  errors: ['not_found', 'conflict'],
  async run({ sim, params: [id = ''] }) {
    const { request } = entryOf(id, sim)
    const { requestTest } = await import('./request-test.js')
    return textReply(await requestTest(request, sim), 'a request gets this answer')
  },
})

export const testOfFinding = controlOperation('sim.findings.test', {
  tag: 'Record',
  summary: 'Write a test that fails if the client makes a mistake',
  description: 'A whole Vitest file, with a stub to replace with a call of the client.',
  params: { rule: 'The id of the rule, such as `polls-too-fast`' },
  responses: RESPONSES,
  errors: ['not_found'],
  async run({ sim, params: [rule = ''] }) {
    const { findingTest } = await import('./finding-test.js')
    const text = await findingTest(rule, sim)
    if (text === undefined)
      throw new Problem(
        'not_found',
        `There is no rule ${rule.slice(0, 100)}. \`GET /_sim/findings\` lists all rules.`,
      )
    return textReply(text, '')
  },
})

/** @throws Problem 409 if there is no test */
function textReply(text: string | undefined, result: string): Reply {
  if (text === undefined)
    throw new Problem(
      'conflict',
      `Failed to write a test in which ${result}: it depends on something that a test cannot repeat, such as other clients or the real time. Write the test by hand.`,
    )
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text }
}
