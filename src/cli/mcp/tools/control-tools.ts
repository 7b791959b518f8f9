import type { FindingShape, VerdictShape, WrittenRequestShape } from '../../../control/shapes.js'
import { operationTool } from './operation-tool.js'
import type { Tool, ToolContext } from './tool.js'

/** Cases are part of the scenario, so they end with it. */
const forgetCases = ({ session }: ToolContext) => session.cases.clear()

/** The tools that are operations of the control API. */
export const CONTROL_TOOLS: readonly Tool[] = [
  operationTool('list_tasks', 'sim.tasks.list', {
    effect: 'reads',
    fixed: { brief: true },
    description:
      'List the tasks that the app under test has created, newest first, without inputs and outputs. Use get_task for the details of one.',
  }),
  operationTool('get_task', 'sim.tasks.read', {
    effect: 'reads',
    description:
      'Read one task: its input, output, error and cost, and its plan, which says how and when it ends.',
  }),
  operationTool('end_task', 'sim.tasks.finish', {
    effect: 'changes',
    description:
      'End a running task now: as planned, or with another status. Use it instead of waiting for a long task.',
  }),
  operationTool('list_requests', 'sim.journal.read', {
    title: 'List the requests of the app under test',
    effect: 'reads',
    fixed: { type: 'request', brief: true },
    description:
      'List the requests that the simulator has answered, newest first, without headers and bodies. `decided_by` says why a request did not get its usual answer. Use `status: "refused"` for the failed ones, and get_request for the bodies of one.',
  }),
  operationTool('get_request', 'sim.journal.request', {
    effect: 'reads',
    description:
      'Read one request with its headers and bodies, its answer, and the reason for the answer. Secrets are masked.',
  }),
  operationTool('list_deliveries', 'sim.deliveries.list', {
    title: 'List the webhooks that were sent',
    effect: 'reads',
    fixed: { brief: true },
    description:
      'List the webhooks that were sent to the app under test, newest first, with the status of each attempt and the time of the next one.',
  }),
  operationTool('get_delivery', 'sim.deliveries.read', {
    title: 'Read a webhook with its attempts',
    effect: 'reads',
    description: 'Read one webhook: the headers and the body of each attempt, and how the app answered.',
  }),
  operationTool('redeliver_webhook', 'sim.deliveries.redeliver', {
    title: 'Send a webhook again',
    effect: 'changes',
    description: 'Send a webhook again, as a new delivery, for example after a fix in the app.',
  }),
  operationTool('trigger_webhook', 'sim.webhooks.trigger', {
    title: 'Send an example webhook',
    effect: 'changes',
    description:
      'Send a signed example of a webhook to the app, without a task. Use it to test a webhook endpoint alone.',
  }),
  operationTool('add_receiver', 'sim.receivers.add', {
    title: 'Register a webhook URL',
    effect: 'changes',
    omitted: ['secret', 'previous_secret'],
    description:
      'Register a URL that receives the webhooks of all tasks. Not needed if the app sends a webhook URL with its create requests.',
  }),
  operationTool('get_findings', 'sim.findings.read', {
    title: 'Read the mistakes of the app under test',
    effect: 'reads',
    select: selectFindings,
    description:
      'Read what the app under test does wrong, the most severe first, with evidence, the reason why it matters and the fix. Call it after the app has run. `final: true` also counts what the app omitted, such as a download; use it once the app is done. `not_observed` says what would give an occasion for each other mistake, and `never_applied` which rules and faults of the scenario tested nothing.',
  }),
  operationTool('begin_run', 'sim.deviations.begin', {
    title: 'Begin a run with a failure at one place',
    effect: 'deletes',
    description:
      'Reset the simulator, and let one thing go wrong at one request, webhook, task or file of the next run of the app. Without an id, the run is the baseline: begin it, run the app, and read list_places. Then begin a run with each id there, run the app again, and read get_findings with `final: true`: does the app recover, or report the failure, without paying twice?',
    after: forgetCases,
  }),
  operationTool('list_places', 'sim.places.list', {
    title: 'List what can go wrong in the run',
    effect: 'reads',
    description:
      'List the requests, webhooks, tasks and files of the present run, each with the ids of the runs in which something goes wrong there. Pass an id to begin_run.',
  }),
  operationTool('get_scenario', 'sim.scenario.read', {
    effect: 'reads',
    description: 'Read the active scenario, which defines delays, failures, prices and limits, as YAML.',
  }),
  operationTool('set_scenario', 'sim.scenario.replace', {
    effect: 'deletes',
    after: forgetCases,
    description:
      'Replace the whole scenario: with a shipped one by `name`, with YAML as `text`, or with an object as `scenario`. Removes all failing cases. It applies to tasks that are created afterwards. An invalid scenario changes nothing, and the error lists every mistake. read_docs with page `scenarios` explains the language.',
  }),
  operationTool('preview_scenario', 'sim.preview', {
    effect: 'reads',
    description:
      'Show the outcomes, errors, times and costs that a scenario gives, without changing anything. By default, previews the active scenario.',
  }),
  operationTool('control_clock', 'sim.clock.turn', {
    effect: 'changes',
    description:
      'Stop, speed up or advance the clock of the simulator, on which delays, retries and expiry depend. With `{"mode": "manual"}`, time moves only when you advance it. `{"advance": "30s"}` and `{"run_until_idle": true}` answer after all events up to then have happened, including webhooks. Advancing also works on a running clock.',
  }),
  operationTool('get_upcoming_events', 'sim.clock.upcoming', {
    effect: 'reads',
    description:
      'Read what happens next on the clock, and when: the next event, the next webhook and the next expiry of URLs.',
  }),
  operationTool('write_request', 'sim.requests.write', {
    title: 'Write a create request as code',
    effect: 'reads',
    select: selectRequest,
    description:
      'Write a request that creates a task in the format of a service, as curl, TypeScript, Python and with its official client. Sends nothing. `directives` make this one task or request misbehave, through the header X-Sim.',
  }),
  operationTool('reset_simulator', 'sim.reset', {
    effect: 'deletes',
    after: forgetCases,
    description:
      'Restore the initial scenario, delete all tasks and requests, and restart the clock. Use it between two experiments.',
  }),
]

/** The evidence that a model needs to find the mistake in the code. */
const MAX_EVIDENCE = 3

function selectFindings({ findings, checked, applied }: VerdictShape): object {
  return {
    findings: findings.map(({ evidence, ...finding }: FindingShape) => ({
      ...finding,
      evidence: evidence.slice(0, MAX_EVIDENCE),
    })),
    checked_without_mistake: checked.filter(({ state }) => state === 'ok').map(({ id }) => id),
    not_observed: checked
      .filter(({ state }) => state === 'not_observed')
      // What provokes a mistake implies that there was no occasion for it.
      .map(({ id, reason, provoke }) => (provoke === undefined ? { id, reason } : { id, provoke })),
    never_applied: applied
      .filter(({ count, inherited }) => count === 0 && !inherited)
      .map(({ list, name, definition }) => ({ list, name, definition })),
  }
}

function selectRequest({ kinds: _, models, ...request }: WrittenRequestShape): object {
  return { ...request, models: models.slice(0, 20) }
}
