import type { Judged } from '../verdict/judged.js'
import { idFor, type ProbeContext } from './context.js'
import { type Echo, exchange, type Shot } from './exchange.js'
import type { Probe } from './probe.js'
import { BODIES } from './probes/bodies.js'
import { BASELINE, GENUINE } from './probes/genuine.js'
import { HTTP } from './probes/http.js'
import { REPETITION } from './probes/repetition.js'
import { ROTATION, SIGNATURES } from './probes/signatures.js'
import { unreachable } from './unreachable.js'

/** Who is attacked, and how long an answer may take, in milliseconds. */
export interface Target {
  readonly url: string
  readonly timeout: number
}

/** Every probe, the genuine event first. */
export function catalogue({ isRotating }: ProbeContext): readonly Probe[] {
  const all = [BASELINE, ...GENUINE, ...SIGNATURES, ...BODIES, ...REPETITION, ...HTTP]
  return isRotating ? all.map((probe) => (probe.id === ROTATION.id ? ROTATION : probe)) : all
}

/**
 * Attacks a webhook endpoint, one probe after the other; where no connection comes about, that is the only result.
 * @param onJudged hears of each as soon as it is judged
 */
export async function attack(
  target: Target,
  context: ProbeContext,
  onJudged: (judged: Judged) => void = () => {},
): Promise<readonly Judged[]> {
  const results: Judged[] = []
  let isReachable = true
  let isAccepting = true
  for (const probe of catalogue(context)) {
    const judged: Tried = isReachable ? await tryOut(probe, target, context, isAccepting) : notSent(probe)
    const failure = probe === BASELINE ? unreachable(target.url, judged.answers) : undefined
    if (failure !== undefined) {
      onJudged(failure)
      return [failure]
    }
    if (probe === BASELINE) {
      isReachable = judged.answers.some(({ status }) => status !== undefined)
      isAccepting = judged.mark !== 'error'
    }
    const { answers: _, ...result } = judged
    results.push(result)
    onJudged(result)
  }
  return results
}

type Tried = Judged & { readonly answers: readonly Echo[] }

async function tryOut(
  probe: Probe,
  { url, timeout }: Target,
  context: ProbeContext,
  isAccepting: boolean,
): Promise<Tried> {
  const { id, title, expected } = probe
  const sent: object[] = []
  const fire = (shot: Shot, patience = timeout) => {
    sent.push(asSent(shot))
    return exchange(url, shot, Math.min(patience, timeout))
  }
  const answers = await probe.run({ context, taskId: context.taskId ?? idFor(id), fire })
  const opinion = probe.judge(answers)
  const seen = [`expected ${expected}; got ${answers.map(asText).join(', then ')}`]
  const details = { expected, sent, answers: answers.map(asRecord) }
  if (opinion.mark === 'ok' && probe.wantsRefusal && !isAccepting)
    return { id, title, seen, details, answers, mark: 'not_observed', ...REFUSES_ALL }
  return { id, title, seen, details, answers, ...opinion }
}

const REFUSES_ALL = {
  why: 'The genuine event was refused as well, so that a refusal says nothing.',
  remedy: 'Make the receiver accept the genuine event first.',
}

function notSent({ id, title, expected }: Probe): Tried {
  return {
    id,
    title,
    mark: 'not_observed',
    seen: ['not sent: the genuine event got no answer'],
    why: '',
    remedy: '',
    details: { expected, sent: [], answers: [] },
    answers: [],
    isBrief: true,
  }
}

function asText({ status, error, took }: Echo): string {
  return `${status ?? error} in ${Math.round(took)} ms`
}

function asRecord({ status, error, took }: Echo): object {
  return { status, error, took_ms: Math.round(took) }
}

const SHOWN = 500

function asSent({ method = 'POST', headers, body }: Shot): object {
  return { method, headers, bytes: body.length, body: new TextDecoder().decode(body.subarray(0, SHOWN)) }
}
