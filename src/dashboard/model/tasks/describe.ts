import type { TaskShape } from '../../../control/shapes.js'
import { day, dayTime, duration } from '../format.js'
import { stringsIn } from '../recording.js'

/** A file of an output that the page can show. */
export interface OutputFile {
  readonly url: string
  /** The index among the files of the task. */
  readonly index: number
  readonly medium: 'image' | 'video' | 'audio'
}

const FILE = /\/files\/(?:sb_[\w-]+\/)?([\w-]+)\/(\d+)\.(\w+)\?/

const MEDIA: Readonly<Record<string, OutputFile['medium']>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  webp: 'image',
  gif: 'image',
  svg: 'image',
  mp4: 'video',
  webm: 'video',
  mp3: 'audio',
  wav: 'audio',
}

/** Finds the files of a task anywhere in its output. */
export function filesIn(output: unknown, taskId: string): OutputFile[] {
  return stringsIn(output).flatMap((url) => {
    const [, id, index, extension = ''] = FILE.exec(url) ?? []
    const medium = MEDIA[extension]
    return id === taskId && medium !== undefined ? [{ url, index: Number(index), medium }] : []
  })
}

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

/** The reasons that are not rules of a scenario. */
const REASONS: Readonly<Record<string, string>> = {
  directive: ', because of a directive in its request',
  recorded: ', as recorded',
  learned: ', as learned from the recording',
}

function pastTense(status: string): string {
  return status === 'canceled' ? 'was canceled' : status
}
