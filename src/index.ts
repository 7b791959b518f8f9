export type { Control } from './client/control.js'
export { parseDialect } from './dialects/language/parse-dialect.js'
export type { DialectTable } from './dialects/table/dialect-table.generated.js'
export type { Renderer } from './engine/assets/asset.js'
export type { ClockControl } from './engine/clock/clock-control.js'
export type { Duration } from './engine/clock/durations.js'
export type { Instant } from './engine/clock/read-instant.js'
export { UsageError } from './engine/errors.js'
export type { SimulatorEvents } from './engine/events.js'
export type { JsonObject, JsonValue } from './engine/json.js'
export type { ByteSize } from './engine/memory/budget.js'
export type { Observable, Observation, ObservedDetails } from './engine/observation.js'
export type {
  AnsweredRequest,
  Download,
  RefusedRequest,
  RequestContext,
} from './engine/requests/answered-request.js'
export type { Kind, Outcome, Plan, Status, Task, TaskError } from './engine/tasks/task.js'
export type { ListQuery, TaskPage } from './engine/tasks/task-store.js'
export type { Post, ReceiverFunction, Transport } from './engine/webhooks/attempts/transport.js'
export type { Answer, Attempt, Delivery, DeliveryState } from './engine/webhooks/deliveries/delivery.js'
export type { RegisteredReceiver } from './engine/webhooks/receivers/receiver.js'
export {
  type Payload,
  type SignatureFormat,
  signPayload,
  verifySignature,
} from './engine/webhooks/signing/signature.js'
export type { Evidence, Finding, Severity } from './inspect/findings/finding.js'
export type { FindingId } from './inspect/findings/ids.js'
export type { Checked, Verdict } from './inspect/findings/verdict.js'
export type { ReceiverOption, Simulator } from './library/build-simulator.js'
export { createSimulator, defineScenario, type SimulatorOptions } from './library/create-simulator.js'
export { parseRecording } from './record/parse-recording.js'
export { type Mistake, ScenarioError } from './scenario/check/mistake.js'
export { parseScenario } from './scenario/parse-scenario.js'
export type { Scenario } from './scenario/scenario.js'
export type * from './scenario/scenario-input.generated.js'
export { SHIPPED_NAMES } from './scenario/shipped.js'
