import { requestFor, signed, webhookOf } from '../events.js'
import type { ProbeContext } from '../probe.js'
import { type Advice, mustAccept, mustReject, once, type Probe, type ProbeTools } from '../probe.js'
import type { ProbeRequest } from '../send-request.js'
import { changeSignature, type SignatureRule } from '../signature-rule.js'

const FORGED: Advice = {
  why: 'Anyone who knows the URL can report the success, failure or output of a task to the app.',
  remedy: 'Verify the signature of the raw body first, and answer 401 if it is wrong.',
}

const WRONG_KEY: Advice = {
  why: FORGED.why,
  remedy: 'Compare the whole key first, in constant time, and answer 401 if it is wrong.',
}

const OLD_SECRET: Advice = {
  why: 'A leaked secret still works after it was replaced.',
  remedy: 'Remove the previous secret from the receiver after the rotation.',
}

const NEW_SECRET_ONLY: Advice = {
  why: 'During a rotation, events with the previous signature still arrive, and the receiver loses them.',
  remedy: 'Accept both secrets until the end of the rotation.',
}

/** Invalid signatures, or invalid keys of a service that sends a fixed key. */
export function signatureProbes({ rule, isRotating }: ProbeContext): readonly Probe[] {
  if (rule === undefined) return []
  return [
    wrong(rule),
    missing(rule),
    empty(rule),
    ...emptyDigest(rule),
    malformed(rule),
    ...otherLengths(rule),
    ...(rule.hasSecret ? [otherAlphabet(rule), isRotating ? ROTATION : PREVIOUS] : []),
  ]
}

function wrong(rule: SignatureRule): Probe {
  if (!rule.hasSecret)
    return altered('wrong-signature', 'Another key of the same length', rule, (correct) =>
      correct.replace(/./gs, (character) => (character === 'x' ? 'y' : 'x')),
    )
  return forgedProbe('wrong-signature', 'A signature with another secret', rule, (tools) =>
    signed(webhookOf(tools), tools, { fault: { signature: 'wrong' } }),
  )
}

function missing(rule: SignatureRule): Probe {
  return forgedProbe('no-signature', `No ${wordFor(rule)}`, rule, (tools) =>
    signed(webhookOf(tools), tools, { fault: { signature: 'missing' } }),
  )
}

function empty(rule: SignatureRule): Probe {
  return forgedProbe('empty-signature', `An empty ${wordFor(rule)}`, rule, (tools) =>
    withHeaders(tools, rule, () => ''),
  )
}

/** A header with everything but the signature, if it holds anything else. */
function emptyDigest(rule: SignatureRule): Probe[] {
  const hasForm = [...rule.places.values()].some(({ before, after }) => before + after > 0)
  if (!hasForm) return []
  return [altered('empty-digest', 'A signature with the correct form and nothing in it', rule, () => '')]
}

function malformed(rule: SignatureRule): Probe {
  return forgedProbe('malformed-signature', `A malformed ${wordFor(rule)}`, rule, (tools) => {
    const { malformed } = tools.context.keys.format
    return withHeaders(tools, rule, (name) => malformed[name] ?? 'not-a-signature')
  })
}

function otherLengths(rule: SignatureRule): Probe[] {
  const word = wordFor(rule)
  return [
    altered('short-signature', `The first half of the correct ${word}`, rule, (correct) =>
      correct.slice(0, correct.length / 2),
    ),
    altered('long-signature', `The correct ${word} plus one byte`, rule, (correct) => `${correct}ff`),
    altered('endless-signature', `A ${word} of 4,000 characters`, rule, (correct) =>
      correct.padEnd(4_000, 'f'),
    ),
  ]
}

function otherAlphabet(rule: SignatureRule): Probe {
  return altered(
    'other-alphabet',
    'A signature of the correct length with one letter only',
    rule,
    (correct) => correct.replace(/./gs, 'z'),
  )
}

function altered(id: string, title: string, rule: SignatureRule, change: (correct: string) => string): Probe {
  return forgedProbe(id, title, rule, (tools) => withSignature(tools, rule, change))
}

const PREVIOUS: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret',
  expected: 'a rejection with 4xx',
  expectsRejection: true,
  run: once(withPreviousSecret),
  assess: mustReject(OLD_SECRET, 'warning'),
}

/** Replaces {@link PREVIOUS} during a rotation. */
const ROTATION: Probe = {
  id: 'previous-secret',
  title: 'A signature with the previous secret, during a rotation',
  expected: '2xx',
  run: once(withPreviousSecret),
  assess: mustAccept(NEW_SECRET_ONLY),
}

function withPreviousSecret(tools: ProbeTools): Promise<ProbeRequest> {
  return signed(webhookOf(tools), tools, { fault: { signature: 'previous_secret' } })
}

/** What a service sends to prove that a webhook is genuine. */
export function wordFor({ hasSecret }: SignatureRule): string {
  return hasSecret ? 'signature' : 'key'
}

/** A webhook that a correct receiver rejects as forged. */
export function forgedProbe(
  id: string,
  title: string,
  rule: SignatureRule,
  buildRequest: (tools: ProbeTools) => Promise<ProbeRequest>,
  advice = rule.hasSecret ? FORGED : WRONG_KEY,
): Probe {
  return {
    id,
    title,
    expected: 'a rejection with 4xx',
    expectsRejection: true,
    run: once(buildRequest),
    assess: mustReject(advice),
  }
}

/** A genuine webhook with another signature. */
export async function withSignature(
  tools: ProbeTools,
  rule: SignatureRule,
  change: (correct: string) => string,
  webhook = webhookOf(tools),
): Promise<ProbeRequest> {
  const { body, headers } = await signed(webhook, tools)
  return { body, headers: changeSignature(headers, rule, change) }
}

/** A genuine webhook with other values in the headers with the signature. */
async function withHeaders(
  tools: ProbeTools,
  { places }: SignatureRule,
  write: (name: string) => string,
): Promise<ProbeRequest> {
  const { body, headers } = await signed(webhookOf(tools), tools)
  const replaced = [...places.keys()].map((name) => [name, write(name)])
  return requestFor(body, { ...headers, ...Object.fromEntries(replaced) })
}
