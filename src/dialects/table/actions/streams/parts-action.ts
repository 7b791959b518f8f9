import type { JsonValue } from '../../../../engine/json.js'
import type { Call } from '../../../call.js'
import type { PartsAction } from '../../../stream-action.js'
import { AnswerScope } from '../../answers/answer-scope.js'
import { replyFrom } from '../../answers/reply-with.js'
import type { DialectTable, PartsOperation } from '../../dialect-table.generated.js'
import type { OperationPlace } from '../../requests/operation-place.js'
import { requestReader, waitOf } from '../../requests/request-values.js'
import { TASK_VALUES, type TaskScope } from '../../tasks/task-values.js'
import { compileTemplate, type Values } from '../../template/compile.js'

interface PartsScope extends TaskScope {
  readonly parts: JsonValue[]
}

/** The values in an answer with parts of an output. */
export const PARTS_VALUES = {
  ...TASK_VALUES,
  parts: ({ parts }) => parts,
} satisfies Values<PartsScope>

/** The values in the template of one part. */
export const PART_VALUES = { part: (part) => part } satisfies Values<JsonValue>

/** Answers with the next parts of an output as a table describes. */
export function partsAction(
  table: DialectTable,
  { status = 200, answer, part: template = '{{part}}', wait }: PartsOperation,
  place: OperationPlace,
): PartsAction {
  const read = compileTemplate<PartsScope>(answer, PARTS_VALUES)
  const readPart = compileTemplate<JsonValue>(template, PART_VALUES)
  const readWait = requestReader(wait, place)
  return {
    operation: 'tasks.stream',
    wait: (call: Call) => waitOf(readWait(call)),
    encode(task, given, call) {
      const parts = given.map((part) => readPart(part) ?? null)
      return replyFrom(status, read, Object.assign(new AnswerScope(table, call, task, place), { parts }))
    },
  }
}
