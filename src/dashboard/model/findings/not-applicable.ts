import type { VerdictShape } from '../../../control/shapes.js'

/** The rules that do not apply for one reason. */
export interface NotApplicable {
  readonly reason: string
  readonly ids: readonly string[]
}

/** The rules that do not apply, by reason. */
export function notApplicableIn(checked: VerdictShape['checked']): NotApplicable[] {
  const ids = new Map<string, string[]>()
  for (const { id, reason } of checked)
    if (reason !== undefined) ids.set(reason, [...(ids.get(reason) ?? []), id])
  return [...ids].map(([reason, ids]) => ({ reason, ids }))
}
