import { Chance } from '../../engine/random.js'
import type { FaultContext } from '../../engine/requests/fault-rules.js'
import type { ServiceOperation } from '../../engine/requests/operations.js'
import type { Task } from '../../engine/tasks/task.js'
import { surveyedInput } from '../input-survey.js'
import { readJsonObject } from '../json-body.js'
import type { Exchange } from '../operation.js'

/** A request, as faults look at it: which task it is about, and what makes it the same as another one. */
export async function faultContext(exchange: Exchange, operation: ServiceOperation): Promise<FaultContext> {
  const { request, key } = exchange
  const { method } = request
  if (operation === 'tasks.create') return { operation, method, key, ...(await ordered(exchange)) }
  if (operation === 'tasks.list')
    return { operation, method, key, ...NO_TASK, identity: `${key}\0${request.query}` }
  const task = await existing(exchange, operation)
  const [id = '', file = ''] = exchange.params
  return { operation, method, key: task?.owner ?? key, task, subject: id, identity: `${id}\0${file}` }
}

const NO_TASK = { task: undefined, subject: undefined }

/** What a create request asks for; nothing where it is not fit to be one. */
async function ordered(exchange: Exchange): Promise<Pick<FaultContext, 'task' | 'subject' | 'identity'>> {
  const { sim, key } = exchange
  const { model, input } = (await readJsonObject(exchange).catch(() => undefined)) ?? {}
  if (typeof model !== 'string' || typeof input !== 'object' || input === null || Array.isArray(input))
    return { ...NO_TASK, identity: key }
  const { canonical } = await surveyedInput(exchange)
  const identity = `${key}\0${model}\0${canonical}`
  // What a task is asked for may be long, and there may be a count of it for each rule.
  const subject = String(Chance.of(identity).fingerprint)
  return { task: { model, kind: sim.tasks.planner.kindOf(model, input), input }, subject, identity }
}

/** The task that the path names, where the caller may know of it. */
async function existing(
  { sim, params: [id = ''], key }: Exchange,
  operation: ServiceOperation,
): Promise<Task | undefined> {
  const task = await sim.tasks.get(id)
  return operation === 'files.download' || task?.owner === key ? task : undefined
}
