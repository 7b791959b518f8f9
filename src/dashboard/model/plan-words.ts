import type { TaskShape } from '../../control/shapes.js'
import { clockTime, day, duration } from './format.js'

const ENDS: Readonly<Record<string, string>> = {
  succeeded: 'succeed',
  failed: 'fail',
  canceled: 'be canceled',
}

/** What will happen to a task, or what was to, as a sentence. */
export function planInWords({ status, held, plan, completed_at: completed }: TaskShape, now: number): string {
  const because =
    plan.rule === undefined
      ? ''
      : plan.rule === 'directive'
        ? ', because its request says so'
        : `, because of the rule “${plan.rule}”`
  const error = plan.error === undefined ? '' : ` with ${plan.error.code}`
  if (completed !== undefined) {
    const asPlanned = plan.outcome === status
    return asPlanned
      ? `It ${past(status)}${error}, as planned${because}.`
      : `It ${past(status)}. The plan was otherwise: ${plan.outcome === 'stuck' ? 'it was never to end' : `it was to ${ENDS[plan.outcome] ?? plan.outcome}${error}`}${because}.`
  }
  if (held)
    return `It is held, and goes on when it is released: then it will ${ENDS[plan.outcome] ?? 'not end'}${error}${because}.`
  if (plan.outcome === 'stuck') return `It will never end by itself${because}.`
  const will = `It will ${ENDS[plan.outcome] ?? plan.outcome}${error}`
  if (plan.ends_at_poll !== undefined) return `${will} at poll ${plan.ends_at_poll}${because}.`
  if (plan.ends_at === undefined) return `${will} some time after it has left the queue${because}.`
  const at = Date.parse(plan.ends_at)
  return `${will} at ${when(at, now)}, in ${duration(Math.max(0, at - now))}${because}.`
}

function past(status: string): string {
  return status === 'canceled' ? 'was canceled' : status
}

function when(at: number, now: number): string {
  return day(at) === day(now) ? clockTime(at) : `${day(at)} ${clockTime(at)}`
}
