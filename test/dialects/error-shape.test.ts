import { expect, it } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/dialects/built-in.js'
import { Dialects } from '../../src/dialects/dialects.js'
import { isJsonObject, type JsonValue, parseJson } from '../../src/engine/json.js'
import { parseScenario } from '../../src/index.js'

/** The statuses of faults and of tasksim's own rejections, whether or not the documentation of the service has them. */
const CLIENT = [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 416, 418, 422, 429, 431]
const SERVER = [500, 502, 503, 504, 507, 529]

function fieldsOf(value: JsonValue | undefined, path = ''): readonly string[] {
  if (!isJsonObject(value)) return [path]
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, `${path}.${name}`))
}

it.each([...BUILT_IN_DIALECTS.keys()])(
  'rejections of %s have the same fields with any status',
  async (name) => {
    const dialect = await new Dialects().load(name)
    const fieldsWith = (status: number) => {
      const rejection = { status, code: 'fault', message: 'No.', param: undefined, headers: {} }
      const { body } = dialect.error(rejection, 'req_1', parseScenario(''))
      return fieldsOf(parseJson(String(body)))
    }
    // Some have a form of their own, such as that of FastAPI for a 422.
    const others = Object.keys(dialect.table.error.by_status ?? {})
    for (const all of [CLIENT, SERVER]) {
      const [first = 0, ...statuses] = all.filter((status) => !others.includes(String(status)))
      for (const status of statuses) expect([status, fieldsWith(status)]).toEqual([status, fieldsWith(first)])
    }
  },
)
