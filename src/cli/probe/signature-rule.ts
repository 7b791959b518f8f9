import { isSigned, type WebhookFormat, type WebhookMessage } from '../../engine/webhooks/webhook-format.js'

type Headers = Readonly<Record<string, string>>

/** Where the value of a header holds the signature: so many characters stand before and after it. */
interface SignatureSpan {
  readonly before: number
  readonly after: number
}

/** What the signature of a service depends on, and which headers carry it. */
export interface SignatureRule {
  /** The headers with the signature, and its span in their values. */
  readonly spans: ReadonlyMap<string, SignatureSpan>
  /** Whether there is a secret; otherwise the signature is a fixed key. */
  readonly hasSecret: boolean
  readonly coversBody: boolean
  readonly coversTime: boolean
  readonly coversId: boolean
  /** Further headers with the time of the webhook. */
  readonly timeHeaders: readonly string[]
  /** Further headers with the id of the webhook. */
  readonly idHeaders: readonly string[]
}

const encoder = new TextEncoder()
const MESSAGE: WebhookMessage = { id: 'msg_1', at: Date.UTC(2026, 0, 1), body: encoder.encode('{"a":1}') }
/** So many other secrets show which characters of a header belong to the signature. */
const OTHER_SECRETS = 8

/**
 * Finds out how a service signs its webhooks: signs messages that differ in one part, and compares the headers.
 * @returns undefined if the service does not sign
 */
export async function signatureRuleOf(
  format: WebhookFormat,
  secret: string,
): Promise<SignatureRule | undefined> {
  if (!isSigned(format)) return undefined
  const sign = async (change: Partial<WebhookMessage> = {}, key = secret) =>
    format.sign({ ...MESSAGE, ...change }, key)
  const signed = await sign()
  const others = await Promise.all(
    Array.from({ length: OTHER_SECRETS }, (_, index) => sign({}, `not ${index} ${secret}`)),
  )
  const secretSpans = spansOf(signed, others)
  const hasSecret = secretSpans.size > 0
  const spans = hasSecret ? secretSpans : wholeHeaders(signed, format.malformed)
  const later = await sign({ at: MESSAGE.at + 3_600_000 })
  const renamed = await sign({ id: 'msg_2' })
  const changed = await sign({ body: encoder.encode('{"a":2}') })
  return {
    spans,
    hasSecret,
    coversBody: isOtherSignature(changed, signed, spans),
    coversTime: isOtherSignature(later, signed, spans),
    coversId: isOtherSignature(renamed, signed, spans),
    timeHeaders: otherHeaders(later, signed, spans),
    idHeaders: otherHeaders(renamed, signed, spans),
  }
}

/** The headers with the signature, changed. */
export function changeSignature(
  headers: Headers,
  { spans }: SignatureRule,
  change: (signature: string, name: string) => string,
): Headers {
  const changed = [...spans].flatMap(([name, { before, after }]) => {
    const value = headers[name]
    if (value === undefined) return []
    const end = value.length - after
    const signature = change(value.slice(before, end), name)
    return [[name, value.slice(0, before) + signature + value.slice(end)]]
  })
  return { ...headers, ...Object.fromEntries(changed) }
}

/** The signature in a header. */
function signatureIn(headers: Headers, name: string, { spans }: Pick<SignatureRule, 'spans'>): string {
  const { before = 0, after = 0 } = spans.get(name) ?? {}
  const value = headers[name] ?? ''
  return value.slice(before, value.length - after)
}

/** The headers of a webhook with the signature of another one. */
export function withSignatureOf(other: Headers, headers: Headers, rule: SignatureRule): Headers {
  return changeSignature(headers, rule, (_, name) => signatureIn(other, name, rule))
}

/** The headers that differ between secrets, and the span of the difference. */
function spansOf(signed: Headers, others: readonly Headers[]): Map<string, SignatureSpan> {
  const spans = new Map<string, SignatureSpan>()
  for (const [name, value] of Object.entries(signed)) {
    const values = others.map((headers) => headers[name] ?? '')
    if (values.every((other) => other === value)) continue
    const before = Math.min(...values.map((other) => commonStart(value, other)))
    const after = Math.min(...values.map((other) => commonStart(reversed(value), reversed(other))))
    spans.set(name, { before, after: Math.min(after, value.length - before) })
  }
  return spans
}

function wholeHeaders(signed: Headers, malformed: Headers): Map<string, SignatureSpan> {
  const names = Object.keys(malformed).filter((name) => signed[name] !== undefined)
  return new Map(names.map((name) => [name, { before: 0, after: 0 }]))
}

function isOtherSignature(one: Headers, other: Headers, spans: SignatureRule['spans']): boolean {
  return [...spans.keys()].some(
    (name) => signatureIn(one, name, { spans }) !== signatureIn(other, name, { spans }),
  )
}

function otherHeaders(one: Headers, other: Headers, spans: SignatureRule['spans']): string[] {
  return Object.keys(one).filter((name) => !spans.has(name) && one[name] !== other[name])
}

function commonStart(one: string, other: string): number {
  const end = [...one].findIndex((character, index) => character !== other[index])
  return end === -1 ? one.length : end
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}
