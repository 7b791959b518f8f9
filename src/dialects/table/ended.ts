import { type EndedApi, hasEnded, insteadOf } from '../../engine/requests/ended-api.js'
import { globMatcher } from '../../engine/scenario/glob.js'
import { Problem } from '../../exchange/problem.js'
import type { DialectTable, EndedApi as EndedForm } from './dialect-table.generated.js'

/** Whether a path of an operation is a path, or below it. */
export function isBelow(path: string, start: string): boolean {
  return path === start || path.startsWith(`${start.replace(/\/$/, '')}/`)
}

/**
 * Finds the ended API to which a request belongs.
 * @param path the path of its operation
 * @param model the model that it names; undefined if its operation creates no task
 */
export function endedApi({ ended = [] }: DialectTable, path: string, model?: string): EndedForm | undefined {
  return ended.find(
    ({ paths, models }) =>
      (paths === undefined || paths.some((start) => isBelow(path || '/', start))) &&
      (models === undefined || (model !== undefined && models.some((each) => globMatcher(each)(model)))),
  )
}

/** What has ended, or will, in a sentence: from its paths or models to what to use instead. */
export function remarkOn(api: EndedForm, now: number): string {
  const parts = api.models ?? api.paths ?? []
  const verb = hasEnded(api, now) ? 'ended' : 'ends'
  return `${parts.join(', ')} ${verb} on ${api.on}. ${insteadOf(api)}`
}

/** The part of a description that findings show. */
export function shownEnd({ on, replaced_by, still_served_by, source }: EndedForm): EndedApi {
  return { on, replaced_by, still_served_by, source }
}

/** The state of a service, as far as it decides what has ended. */
interface Today {
  readonly scenario: { readonly ended: 'served' | 'as-today' }
  today(): number
}

/**
 * Why a service rejects a request; undefined if it does not.
 * @param subject what has ended, such as `POST /v1/videos`
 * @param model the field and the value of the model, if it has ended
 */
export function endedProblem(
  api: EndedForm,
  sim: Today,
  subject: string,
  model?: { readonly param: string; readonly given: string },
): Problem | undefined {
  if (sim.scenario.ended !== 'as-today' || !hasEnded(api, sim.today())) return undefined
  const { on, status = 404, code, message } = api
  const own = { status, code }
  const text = message ?? `The service has ended ${subject} on ${on}. ${insteadOf(api)}`
  return model === undefined
    ? new Problem('not_found', text, { own })
    : new Problem('model_not_found', text, { own, ...model })
}
