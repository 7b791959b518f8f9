import { replyFrom } from '../../../dialects/table/answers/task-answer.js'
import type { FixedOperation } from '../../../dialects/table/dialect-table.generated.js'
import { FIXED_VALUES, type FixedScope } from '../../../dialects/table/operation-values.js'
import { baseOf, type Endpoint } from '../../../dialects/table/requests/endpoint.js'
import { requestReader } from '../../../dialects/table/requests/request-values.js'
import { compileTemplate, namesIn } from '../../../dialects/table/template/compile.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { Problem } from '../../../exchange/problem.js'
import type { ServiceHandler } from '../../operation.js'

/** Answers without regard to tasks, such as with the health of the service. */
export function fixedAnswer(
  { status = 200, answer, by }: FixedOperation,
  endpoint: Endpoint,
): ServiceHandler {
  const read = compileTemplate<FixedScope>(answer, FIXED_VALUES)
  const readField = by === undefined ? undefined : requestReader(by, endpoint)
  const readPath = requestReader('{{path}}', endpoint)
  const names = namesIn(answer)
  return async (exchange) => {
    const { dialect, sim } = exchange
    const secret = () => dialect.webhooks(sim.scenario).secret
    const scope = {
      base: () => baseOf(exchange, endpoint),
      secret,
      path: () => readPath(exchange) ?? {},
      publicKey: names.has('public_key') ? await publicKeyOf(secret()) : undefined,
      jwks: names.has('jwks') ? await jwksOf(secret()) : undefined,
    }
    if (readField === undefined) return replyFrom(status, read, scope)
    return replyFrom(status, () => fieldOf(read(scope), readField(exchange)), scope)
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

async function jwksOf(secret: string): Promise<JsonValue> {
  const { RsaKey } = await import('../../../engine/webhooks/signing/rsa-key.js')
  return [new RsaKey(secret).publicKey()]
}

async function publicKeyOf(secret: string): Promise<string> {
  const { Ed25519Key } = await import('../../../engine/webhooks/signing/ed25519.js')
  return new Ed25519Key(secret).publicKey()
}
