import { exampleOrder } from '../../dialects/requests/example-order.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Finding } from '../../inspect/findings/finding.js'
import { FINDING_RULES } from '../../inspect/findings/rules.js'
import type { Simulator } from '../../simulator/simulator.js'
import { javascript } from '../code/literal.js'
import { DEFAULT_IN_FORCE, scenarioInForce } from './scenario-in-force.js'
import { createAgain, type TestPlan } from './test-plan.js'
import { comment, writeFile } from './write-file.js'
import { fetchCall } from './write-steps.js'

/**
 * A Vitest file that fails if a client makes the mistake of a rule. The client in it is a stub to replace.
 * @returns undefined if there is no rule with the id
 */
export async function findingTest(id: string, sim: Simulator): Promise<string | undefined> {
  const rule = FINDING_RULES.find((each) => each.id === id)
  if (rule === undefined) return undefined
  const { findings } = await sim.verdict({ final: true })
  const task = taskIn(
    findings.find((each) => each.id === id),
    sim,
  )
  const given = await scenarioInForce(sim.scenario, task?.owner ?? '')
  const { scenario, key } = given ?? DEFAULT_IN_FORCE
  const dialect = await sim.dialects.load(task?.dialect ?? 'tasks')
  const plan: TestPlan = {
    scenario,
    seed: sim.seed,
    dialect: dialect.name,
    answers: [],
    receivers: [],
    notes: [`${rule.title}. ${rule.why} ${rule.remedy}`],
    steps: [],
  }
  const order = task ?? { ...exampleOrder(dialect), owner: key }
  const create = fetchCall(createAgain(dialect, order as Task, key), dialect, '  ')
  const stub = [
    comment('Replace this stub with a call of your client. It can wait with sim.clock.advance().'),
    'async function runClient(sim: Simulator): Promise<void> {\n',
    `  await ${create}\n`,
    '  await sim.clock.runUntilIdle()\n',
    '}\n\n',
  ]
  const lines = [
    'await runClient(sim)',
    'const { findings } = await sim.verdict()',
    `expect(findings.filter(({ id }) => id === ${javascript(id)})).toEqual([])`,
  ]
  return writeFile({
    plan,
    title: `the client passes the rule ${id}`,
    lines,
    before: stub.join(''),
    types: ['Simulator'],
  })
}

function taskIn(finding: Finding | undefined, sim: Simulator): Task | undefined {
  for (const { taskId } of finding?.evidence ?? []) {
    const task = taskId === undefined ? undefined : sim.tasks.get(taskId)
    if (task !== undefined) return task
  }
  return undefined
}
