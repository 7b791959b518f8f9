import type { JsonObject } from '../../../engine/json.js'
import { Problem } from '../../../http/exchange/problem.js'
import type { Call } from '../../call.js'
import { compileTemplate } from '../template/compile.js'
import type { TextTemplate } from '../template/template.js'
import type { OperationPlace } from './operation-place.js'
import { REQUEST_VALUES, type RequestScope } from './request-values.js'

/** How requests name another task from which they make a new one. */
interface SourceReader {
  /** The id in a request; undefined if it names no task. */
  idIn(body: JsonObject, call: Call): string | undefined
  /** @throws Problem 404 if the request names a task that the client cannot see */
  check(scope: RequestScope): void
}

/** Reads the task that the field `source` of a table names. */
export function sourceReader(template: TextTemplate, { parameters }: OperationPlace): SourceReader {
  const read = compileTemplate<RequestScope>(template, REQUEST_VALUES)
  const idIn: SourceReader['idIn'] = (body, call) => {
    const id = read({ body, call, parameters })
    return typeof id === 'string' && id !== '' ? id : undefined
  }
  return {
    idIn,
    check({ body, call, source }) {
      const id = source === undefined ? idIn(body, call) : undefined
      if (id === undefined) return
      const message = `There is no task ${id.slice(0, 100)} that this API key could see.`
      throw new Problem('task_not_found', message)
    },
  }
}
