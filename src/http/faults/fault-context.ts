import type { Subject } from '../../dialects/action.js'
import { isJsonObject } from '../../engine/json.js'
import { Chance } from '../../engine/random.js'
import type { FaultContext } from '../../engine/requests/fault-rules.js'
import type { OperationName } from '../../engine/requests/operations.js'
import { readSubject, surveyedInput } from '../create-body.js'
import type { ServiceExchange } from '../operation.js'

const NO_TASK = { task: undefined, subject: undefined }

/** Collects the properties of a request that fault rules match. */
export async function faultContext(exchange: ServiceExchange): Promise<FaultContext> {
  const { sim, dialect, request, key, params, namedTask: id = '', operation } = exchange
  const common = { operation: operation.id, method: request.method, dialect: dialect.name, key }
  if (operation.id === 'tasks.create') return { ...common, ...(await orderedTask(exchange)) }
  if (operation.id === 'tasks.list') return { ...common, ...NO_TASK, identity: `${key}\0${request.query}` }
  if (isAboutUploads(operation.id)) return { ...common, ...NO_TASK, identity: `${key}\0${request.path}` }
  const found = sim.tasks.get(id)
  const needsKey = operation.authenticated && operation.id !== 'files.download'
  const task = needsKey && found?.owner !== key ? undefined : found
  // The identity seeds the draws of the fault, so it omits parts that may change, such as the extension of a file.
  const file = operation.id === 'files.download' ? (params.at(-1) ?? '') : ''
  const identity = `${id}\0${file.replace(/\..*/, '')}`
  return { ...common, key: task?.owner ?? key, task, subject: id, identity }
}

function isAboutUploads(operation: OperationName): boolean {
  return operation.startsWith('files.') && operation !== 'files.download'
}

type TaskContext = Pick<FaultContext, 'task' | 'subject' | 'identity'>

/** The task that a create request asks for, unless its body is invalid. */
async function orderedTask(exchange: ServiceExchange): Promise<TaskContext> {
  const { sim, key } = exchange
  const { model, input, kind } = await subjectOf(exchange)
  if (typeof model !== 'string' || !isJsonObject(input)) return { ...NO_TASK, identity: key }
  const { canonical } = await surveyedInput(exchange)
  const identity = `${key}\0${model}\0${canonical}`
  // A hash, because the input may be long and each rule may store the subject.
  const subject = String(Chance.of(identity).fingerprint)
  return { task: { model, kind: kind ?? sim.tasks.planner.kindOf(model, input), input }, subject, identity }
}

async function subjectOf(exchange: ServiceExchange): Promise<Subject> {
  try {
    return await readSubject(exchange)
  } catch {
    return { model: undefined, input: undefined }
  }
}
