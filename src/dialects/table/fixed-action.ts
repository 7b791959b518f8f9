import type { FixedAction } from '../action.js'
import type { Dialect } from '../dialect.js'
import { baseOf } from './base-of.js'
import type { OperationPlace } from './operation-place.js'
import type { FixedTable } from './operation-table.js'
import { replyFrom } from './reply-with.js'
import { compileTemplate, type Values } from './template/compile.js'

interface FixedScope {
  base(): string
  /** The signing secret of webhooks. */
  secret(): string
}

/** The values in answers that do not depend on tasks. */
export const FIXED_VALUES = {
  base: (scope) => scope.base(),
  secret: (scope) => scope.secret(),
} satisfies Values<FixedScope>

/** Answers without regard to tasks. */
export function fixedAction(
  { status = 200, answer }: FixedTable,
  place: OperationPlace,
  webhooks: Dialect['webhooks'],
): FixedAction {
  const read = compileTemplate<FixedScope>(answer, FIXED_VALUES)
  return {
    operation: 'service.info',
    encode: (call) => {
      const scope = { base: () => baseOf(call, place), secret: () => webhooks(call.sim.scenario).secret }
      return replyFrom(status, read, scope)
    },
  }
}
