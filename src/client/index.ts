export type {
  AttemptShape,
  ClockShape,
  DeliveryShape,
  EntryShape,
  FindingShape,
  Page,
  PlanShape,
  PreviewShape,
  ReceiverShape,
  RequestShape,
  SandboxShape,
  ScenarioShape,
  StateShape,
  TaskBriefShape,
  TaskShape,
} from '../api/control/shapes.js'
export { type ConnectOptions, connect } from './connect.js'
export {
  Control,
  ControlError,
  type DeliveryQuery,
  type JournalQuery,
  type NewReceiver,
  type NewSandbox,
  type PreviewOptions,
  type ScenarioChoice,
  type TaskQuery,
} from './control.js'
