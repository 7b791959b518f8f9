import { type Awaitable, after } from '../engine/awaitable.js'
import type { JsonObject } from '../engine/json.js'
import type { Kinds, Production } from '../engine/tasks/kinds.js'
import type { Task } from '../engine/tasks/task.js'
import { checkInput, countMarks, guessKind, kindNamed, outputOf, readMediaSpec } from './built-in-kinds.js'
import { fillTemplate } from './template.js'

/** Produces the result of a task. An output of the scenario replaces that of the kind, but not the usage. */
export function produce(task: Task): Awaitable<Production> {
  const { output } = task.plan
  if (output === undefined) return produceAsKind(task)
  return after(produceAsKind(task), (production) => {
    const filled = fillTemplate(output, task.input) as JsonObject
    return { usage: production.usage, result: { files: countMarks(filled), output: filled } }
  })
}

/** @throws Error if there is no such kind */
function produceAsKind(task: Task): Awaitable<Production> {
  const kind = kindNamed(task.baseKind)
  if (kind === undefined) throw new Error(`There is no kind ${JSON.stringify(task.baseKind)} of models.`)
  return kind.produce(task)
}

/** The built-in kinds, as the engine uses them. */
export const builtInKinds: Kinds = {
  guess: guessKind,
  check: checkInput,
  mediaOf: readMediaSpec,
  produce,
  outputOf,
}
