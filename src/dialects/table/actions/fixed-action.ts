import { after } from '../../../engine/awaitable.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { Problem } from '../../../exchange/problem.js'
import type { FixedAction } from '../../action.js'
import type { Dialect } from '../../dialect.js'
import { replyFrom } from '../answers/reply-with.js'
import type { FixedOperation } from '../dialect-table.generated.js'
import { baseOf, type OperationPlace } from '../requests/operation-place.js'
import { REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { compileTemplate, namesIn, type Values } from '../template/compile.js'

interface FixedScope {
  base(): string
  /** The signing secret of webhooks. */
  secret(): string
  /** The public key of signatures with Ed25519, in base64url; undefined if no template needs it. */
  readonly publicKey: string | undefined
  /** The public keys of tokens, as JSON Web Keys; undefined if no template needs them. */
  readonly jwks: JsonValue | undefined
}

/** The values in answers that do not depend on tasks. */
export const FIXED_VALUES = {
  base: (scope) => scope.base(),
  secret: (scope) => scope.secret(),
  public_key: ({ publicKey }) => publicKey,
  jwks: ({ jwks }) => jwks,
} satisfies Values<FixedScope>

/** Answers without regard to tasks. */
export function fixedAction(
  { status = 200, answer, key, by }: FixedOperation,
  place: OperationPlace,
  webhooks: Dialect['webhooks'],
): FixedAction {
  const read = compileTemplate<FixedScope>(answer, FIXED_VALUES)
  const readField = by === undefined ? undefined : compileTemplate<RequestScope>(by, REQUEST_VALUES)
  const names = namesIn(answer)
  return {
    operation: 'service.info',
    isPublic: key === 'none',
    encode: (call) => {
      const secret = () => webhooks(call.sim.scenario).secret
      const keys = names.has('public_key') || names.has('jwks') ? publicKeys(names, secret()) : NO_KEYS
      const field = readField?.({ call, body: {}, parameters: place.parameters })
      return after(keys, (keys) => {
        const scope = { base: () => baseOf(call, place), secret, ...keys }
        return replyFrom(status, readField === undefined ? read : () => fieldOf(read(scope), field), scope)
      })
    },
  }
}

/**
 * A field of an answer.
 * @throws Problem 404 if it has no such field
 */
function fieldOf(answer: JsonValue | undefined, field: JsonValue | undefined): JsonValue | undefined {
  const name = String(field)
  if (isJsonObject(answer) && Object.hasOwn(answer, name)) return answer[name]
  throw new Problem('not_found', `There is no ${name.slice(0, 100)} here. Check the path.`)
}

type Keys = Pick<FixedScope, 'publicKey' | 'jwks'>

const NO_KEYS: Keys = { publicKey: undefined, jwks: undefined }

/** The public keys that a template needs. */
async function publicKeys(names: ReadonlySet<string>, secret: string): Promise<Keys> {
  return {
    publicKey: names.has('public_key') ? await publicKeyOf(secret) : undefined,
    jwks: names.has('jwks') ? await jwksOf(secret) : undefined,
  }
}

async function jwksOf(secret: string): Promise<JsonValue> {
  const { RsaKey } = await import('../../../engine/webhooks/signing/rsa-key.js')
  return [new RsaKey(secret).publicKey()]
}

async function publicKeyOf(secret: string): Promise<string> {
  const { Ed25519Key } = await import('../../../engine/webhooks/signing/ed25519.js')
  return new Ed25519Key(secret).publicKey()
}
