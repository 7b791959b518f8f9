import type { FixedAction } from '../../dialects/action.js'
import type { ServiceOperation } from '../operation.js'

/** Answers without regard to tasks. */
export function fixedAnswer(action: FixedAction): ServiceOperation {
  return {
    id: action.operation,
    action,
    authenticated: action.isPublic !== true,
    run: (exchange) => action.encode(exchange),
  }
}
