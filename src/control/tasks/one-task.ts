import { isJsonObject, type JsonValue } from '../../engine/json.js'
import type { Task, TaskError } from '../../engine/tasks/task.js'
import type { Reply } from '../../http/exchange.js'
import { readOptionalJsonObject } from '../../http/json-body.js'
import type { Exchange, Operation } from '../../http/operation.js'
import { evictionHint, invalid, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import { checkFields, checkNoFields, nameIn } from '../own-fields.js'
import { taskShape } from './task-shape.js'

/** Gives a task with all that is planned for it. */
export const readTask: Operation = {
  id: 'sim.tasks.read',
  authenticated: false,
  run: async (exchange) => shown(exchange, await taskOf(exchange)),
}

/** Ends a task now: as it was planned, or as the request says. */
export const finishTask: Operation = {
  id: 'sim.tasks.finish',
  authenticated: false,
  async run(exchange) {
    const { id, status } = await taskOf(exchange)
    const ended = await exchange.sim.tasks.finish(id, await outcomeIn(exchange))
    if (ended === undefined) throw hasEnded(id, status)
    return shown(exchange, ended)
  },
}

/** Keeps a task from ending by itself. */
export const holdTask: Operation = {
  id: 'sim.tasks.hold',
  authenticated: false,
  async run(exchange) {
    await checkNoFields(exchange)
    const task = await taskOf(exchange)
    if (!(await exchange.sim.tasks.hold(task.id))) throw hasEnded(task.id, task.status)
    return shown(exchange, task)
  },
}

/** Lets a held task go on. */
export const releaseTask: Operation = {
  id: 'sim.tasks.release',
  authenticated: false,
  async run(exchange) {
    await checkNoFields(exchange)
    const task = await taskOf(exchange)
    const { tasks } = exchange.sim
    if (!(await tasks.release(task.id))) throw new Problem('conflict', `Task ${task.id} is not held.`)
    // Where its time has come meanwhile, it ends before this is answered.
    await exchange.sim.catchUp()
    return shown(exchange, (await tasks.get(task.id)) ?? task)
  },
}

function shown({ sim, request }: Exchange, task: Task): Reply {
  return json(200, taskShape(task, sim, request.origin))
}

async function taskOf(exchange: Exchange): Promise<Task> {
  const [id = ''] = exchange.params
  const { sim } = exchange
  const task = await sim.tasks.get(id)
  if (task === undefined)
    throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)}.${evictionHint(sim)}`)
  exchange.taskId = id
  return task
}

function hasEnded(id: string, status: string): Problem {
  return new Problem('conflict', `Task ${id} has ${status} already.`)
}

const OUTCOMES = ['succeeded', 'failed', 'canceled'] as const

async function outcomeIn(exchange: Exchange): Promise<Parameters<Exchange['sim']['tasks']['finish']>[1]> {
  const body = await readOptionalJsonObject(exchange)
  checkFields(body, ['status', 'error'])
  const { status, error } = body
  if (status === undefined) {
    if (error !== undefined) throw invalid('field', 'error', error, 'left out unless `status` is failed')
    return undefined
  }
  const outcome = OUTCOMES.find((known) => known === status)
  if (outcome === undefined) throw invalid('field', 'status', status, `one of ${OUTCOMES.join(', ')}`)
  if (error === undefined) return { outcome, error: undefined }
  if (outcome !== 'failed') throw invalid('field', 'error', error, 'left out unless `status` is failed')
  return { outcome, error: errorIn(error) }
}

function errorIn(error: JsonValue): TaskError {
  if (!isJsonObject(error))
    throw invalid('field', 'error', error, 'an object with a `code`, and perhaps a `message`')
  checkFields(error, ['code', 'message'])
  const { code, message = 'The generation could not be completed.' } = error
  if (typeof message !== 'string') throw invalid('field', 'error.message', message, 'a string')
  return { code: nameIn('error.code', code), message }
}
