export type {
  AttemptShape,
  ClockShape,
  DeliveryPage,
  DeliveryShape,
  EntryShape,
  FindingShape,
  Page,
  PlanShape,
  ReceiverShape,
  RequestShape,
  SandboxShape,
  ScenarioShape,
  StateShape,
  TaskShape,
  VerdictShape,
} from '../api/control/shapes.js'
export { type ConnectOptions, connect } from './connect.js'
export {
  Control,
  ControlError,
  type DeliveryQuery,
  type JournalQuery,
  type NewReceiver,
  type NewSandbox,
  type ScenarioChoice,
  type TaskQuery,
} from './control.js'
