import type { JsonValue } from '../../engine/json.js'
import { lastSegment } from '../../engine/tasks/answered-task.js'
import type { Task } from '../../engine/tasks/task.js'

/** Whether the client has passed on a file of a task, or any file of it, as the input of a later task. */
export type IsPassedOn = (task: Task, file?: number) => boolean

/** The files that an input names, by the owner and the id of their task; all files if it names only the task. */
type NamedFiles = Map<string, Set<number> | 'all'>

/** Finds the outputs that clients have passed on. The inputs are read on the first question. */
export function passedOutputs(tasks: () => Iterable<Task>): IsPassedOn {
  let named: NamedFiles | undefined
  return (task, file) => {
    named ??= filesNamedBy([...tasks()])
    const files = named.get(keyOf(task))
    return files === 'all' || (files !== undefined && (file === undefined || files.has(file)))
  }
}

function filesNamedBy(tasks: readonly Task[]): NamedFiles {
  const known = new Set(tasks.map(keyOf))
  const named: NamedFiles = new Map()
  for (const { owner, input } of tasks)
    for (const text of textsIn(input))
      for (const { 0: id, index } of text.matchAll(/[\w-]+/g)) {
        const key = `${owner} ${id}`
        if (known.has(key)) addFile(named, key, fileIn(text.slice(index + id.length)))
      }
  return named
}

function keyOf({ owner, id }: Pick<Task, 'owner' | 'id'>): string {
  return `${owner} ${lastSegment(id)}`
}

function addFile(named: NamedFiles, key: string, file: number | undefined): void {
  const files = named.get(key) ?? new Set()
  if (file === undefined || files === 'all') named.set(key, 'all')
  else named.set(key, files.add(file))
}

/** The index of a file in its URL after the id of the task, such as `/1.png` or `:download?index=1`. */
function fileIn(rest: string): number | undefined {
  const [, inPath, inQuery] = /^(?:\/(\d+)\.\w|[^\s?]*\?\S*\bindex=(\d+))/.exec(rest) ?? []
  const index = inPath ?? inQuery
  return index === undefined ? undefined : Number(index)
}

/** The texts of a value that may contain a URL or an id, and not a file. */
function* textsIn(value: JsonValue): Iterable<string> {
  if (typeof value === 'string' && !value.startsWith('data:')) yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
