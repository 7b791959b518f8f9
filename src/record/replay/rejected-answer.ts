import type { JsonObject } from '../../engine/json.js'
import type { RejectedAnswer } from '../../engine/tasks/recorded-rejection.js'
import type { CourseContext } from './course.js'
import { restoreInput } from './restore-input.js'
import { rewrite } from './rewrite.js'
import type { Rejection } from './trace.js'

const NO_FILES: ReadonlyMap<string, number> = new Map()

/** Repeats the answer to a create request that the service has rejected. @param live the input of the request now */
export function rejectedAnswer(
  { zero, input, inputText, answer }: Rejection,
  { bases, salt }: CourseContext,
  live: JsonObject,
): RejectedAnswer {
  const restore = restoreInput(input, live, salt) ?? ((json) => json)
  return (now, baseOf) => {
    const own = { shift: now - zero, zero, bases, files: NO_FILES, input: inputText, baseOf, urlOf: () => '' }
    const values = Object.entries(answer.headers).map(([name, value]) => [name, rewrite(value, own)])
    return {
      code: answer.code,
      headers: Object.fromEntries(values),
      text: restore(rewrite(answer.text, own)),
    }
  }
}
