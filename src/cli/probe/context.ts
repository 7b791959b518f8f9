import type { Dialect } from '../../dialects/dialect.js'
import type { SigningKeys } from '../../engine/webhooks/signing/sign-attempt.js'
import type { SignatureRule } from './signature-rule.js'

/** The settings of the probes. */
export interface ProbeContext {
  /** The service whose webhooks the endpoint receives. */
  readonly dialect: Pick<Dialect, 'name' | 'taskIds' | 'answers'>
  readonly keys: SigningKeys
  /** Undefined if the service does not sign. */
  readonly rule: SignatureRule | undefined
  /** The id of the task in all events; if undefined, each probe uses its own id. */
  readonly taskId: string | undefined
  /** Whether the secret is being rotated, so that the receiver must also accept the previous secret. */
  readonly isRotating: boolean
}
