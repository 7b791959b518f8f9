import type { Mark } from '../verdict/judged.js'
import type { Echo } from './exchange.js'
import type { Opinion } from './probe.js'

/** Why a wrong answer matters, and what to do. */
export interface Advice {
  readonly why: string
  readonly remedy: string
}

export const WELL: Opinion = { mark: 'ok', why: '', remedy: '' }

const SILENCE: Advice = {
  why: 'The sender takes no answer for a failure, tries again, and gives up. A process that crashed is down for all.',
  remedy: 'Look into the log of the receiver; catch what is thrown, and answer in any case.',
}

const CRASH: Advice = {
  why: 'What anybody can send must not end in an exception: a sender tries again after a 5xx, and errors hide others.',
  remedy:
    'Check before you use: compare lengths before timingSafeEqual, catch what JSON.parse throws; answer 4xx.',
}

const REDIRECT: Advice = {
  why: 'Senders of webhooks follow no redirect; the event is lost.',
  remedy: 'Give the final URL, with the scheme and the trailing slash that the server wants.',
}

export function isAccepted({ status }: Echo): boolean {
  return status !== undefined && status >= 200 && status < 300
}

function isRedirect({ status }: Echo): boolean {
  return status !== undefined && status >= 300 && status < 400
}

function isCrash({ status }: Echo): boolean {
  return status !== undefined && status >= 500
}

export function isSilent({ status }: Echo): boolean {
  return status === undefined
}

/** Every request must be accepted. */
export function mustAccept(advice: Advice, mark: Mark = 'error') {
  return (echoes: readonly Echo[]): Opinion => {
    if (echoes.every(isAccepted)) return WELL
    if (echoes.some(isSilent)) return { mark: 'error', ...SILENCE }
    return { mark, ...(echoes.some(isRedirect) ? REDIRECT : advice) }
  }
}

/** Every request must be refused, and not by an exception. */
export function mustRefuse(advice: Advice, mark: Mark = 'error') {
  return (echoes: readonly Echo[]): Opinion =>
    echoes.some(isAccepted) ? { mark, ...advice } : mustSurvive(echoes)
}

/** No request may end in an exception; whether it is accepted is the receiver's own affair. */
export function mustSurvive(echoes: readonly Echo[]): Opinion {
  if (echoes.some(isSilent)) return { mark: 'error', ...SILENCE }
  return echoes.some(isCrash) ? { mark: 'warning', ...CRASH } : WELL
}

/** Every request must be accepted, and what the receiver did with it cannot be seen from outside. */
export function mustAcceptUnseen(advice: Advice, toCheck: Advice) {
  const judge = mustAccept(advice, 'warning')
  return (echoes: readonly Echo[]): Opinion =>
    echoes.every(isAccepted) ? { mark: 'not_observed', ...toCheck } : judge(echoes)
}
