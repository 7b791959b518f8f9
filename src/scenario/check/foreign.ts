import { isMapping } from '../mapping.js'

/**
 * Explains what a file of another format is, and which command reads it. Returns undefined if it is none that is known.
 * @param source the path or name of the file
 */
export function foreignFormat(value: unknown, source: string): string | undefined {
  if (!isMapping(value)) return undefined
  const has = (...names: readonly string[]) => names.every((name) => Object.hasOwn(value, name))
  const { log, info, tasksim } = value
  if (has('openapi') || has('swagger') || has('asyncapi') || has('arazzo'))
    return `this is an OpenAPI document. tasksim describes a service in a dialect file: ${DIALECT}`
  if (isMapping(log) && Object.hasOwn(log, 'entries'))
    return `this is a HAR file. To learn a scenario from it, name the service: \`tasksim learn ${source} --dialect NAME --out scenario.yaml\``
  if (isMapping(info) && Object.hasOwn(info, '_postman_id'))
    return `this is a Postman collection. tasksim describes a service in a dialect file: ${DIALECT}`
  if (tasksim === 'recording')
    return 'this is a part of a recording. In a recording, each entry has a line of its own: give the file as `tasksim record` wrote it'
  if (has('id', 'status') || (has('data') && Array.isArray(value['data'])))
    return `this is the history of a service. To learn a scenario from it, run \`tasksim learn ${source} --out scenario.yaml\``
  return undefined
}

const DIALECT = 'run `tasksim init --dialect acme`, and copy the paths and fields into acme.yaml'

/** The first field of a file, as JSON or YAML. */
const FIRST_FIELD =
  /^\uFEFF?\s*(?:#[^\n]*\n\s*)*\{?\s*["']?(openapi|swagger|log)["']?\s*:(?:\s*\{\s*"(?:version|creator|entries|browser|pages)")?/

/** Like {@link foreignFormat}, for the start of a file that is too long, or that has lines of JSON. */
export function foreignStart(text: string, source: string): string | undefined {
  const [start, field] = FIRST_FIELD.exec(text) ?? []
  if (field === 'log' && start?.includes('{')) return foreignFormat({ log: { entries: [] } }, source)
  if (field !== undefined && field !== 'log') return foreignFormat({ [field]: '' }, source)
  const [first = '', second = ''] = text.split('\n', 2)
  const [one, other] = [first, second].map(objectIn)
  return one === undefined || other === undefined ? undefined : foreignFormat(one, source)
}

function objectIn(line: string): unknown {
  try {
    return line.startsWith('{') ? JSON.parse(line) : undefined
  } catch {
    return undefined
  }
}
