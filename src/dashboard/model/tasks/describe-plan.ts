import type { TaskShape } from '../../../control/shapes.js'
import { day, dayTime, duration } from '../format.js'

const ENDS: Readonly<Record<string, string>> = {
  succeeded: 'succeed',
  failed: 'fail',
  canceled: 'be canceled',
}

/** Describes the plan of a task or, after its end, its result, in one or two sentences. */
export function describePlan(
  { status, held, plan, completed_at: completed }: TaskShape,
  now: number,
): string {
  const reason = reasonOf(plan.rule)
  const error = plan.error === undefined ? '' : ` with ${plan.error.code}`
  if (completed !== undefined) {
    const asPlanned = plan.outcome === status
    return asPlanned
      ? `The task ${pastTense(status)}${error}, as planned${reason}.`
      : `The task ${pastTense(status)}. The plan was ${plan.outcome === 'stuck' ? 'never to end' : `to ${ENDS[plan.outcome] ?? plan.outcome}${error}`}${reason}.`
  }
  if (held)
    return `The task is held. After its release, it will ${ENDS[plan.outcome] ?? 'not end'}${error}${reason}.`
  if (plan.outcome === 'stuck') return `The task will never end${reason}.`
  const will = `The task will ${ENDS[plan.outcome] ?? plan.outcome}${error}`
  if (plan.ends_at_poll !== undefined) return `${will} at poll ${plan.ends_at_poll}${reason}.`
  if (plan.ends_at === undefined) return `${will} after it leaves the queue${reason}.`
  const at = Date.parse(plan.ends_at)
  return `${will} at ${dayTime(at, day(now))}, in ${duration(Math.max(0, at - now))}${reason}.`
}

function reasonOf(rule: string | undefined): string {
  if (rule === undefined) return ''
  return REASONS[rule] ?? `, because of the rule “${rule}”`
}

/** The reasons that are no rules of a scenario. */
const REASONS: Readonly<Record<string, string>> = {
  directive: ', because of a directive in its request',
  recorded: ', as recorded',
  learned: ', as learned from the recording',
}

function pastTense(status: string): string {
  return status === 'canceled' ? 'was canceled' : status
}
