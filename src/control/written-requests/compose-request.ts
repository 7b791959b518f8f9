import type { Dialect } from '../../dialects/dialect.js'
import { type CreateForm, createForms } from '../../dialects/requests/create-form.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import { exampleInput, exampleModel } from '../../dialects/requests/example-order.js'
import type { Destination, Wanted } from '../../dialects/requests/service-request.js'
import type { Task } from '../../engine/tasks/task.js'
import { maskUrl } from '../../engine/webhooks/receivers/mask-url.js'
import { shownKey } from '../../http/api-key.js'
import { invalid, Problem } from '../../http/exchange/problem.js'
import type { Exchange } from '../../http/operation.js'
import { KIND_NAMES } from '../../kinds/registry.js'
import type { Simulator } from '../../simulator.js'
import { requestCode } from '../code/request-code.js'
import type { NewRequest, ServiceRequestShape, WrittenRequestShape } from '../shapes.js'
import { taskWithId } from '../tasks/task-of.js'
import { directiveHeader } from './directive-header.js'
import { formFor, omittedFields } from './form-for.js'
import { inputFields } from './input-fields.js'
import { inputProblemOf } from './input-problem-of.js'
import { USUAL_MODELS } from './usual-models.js'

/**
 * Writes the request that a user wants, with defaults for everything that is missing.
 * @throws Problem 400 for an unknown dialect, or a directive that is not valid
 */
export async function composeRequest(
  { sim, request: { origin } }: Pick<Exchange, 'sim' | 'request'>,
  given: NewRequest,
): Promise<WrittenRequestShape> {
  const task = given.task === undefined ? undefined : taskWithId(given.task, sim)
  const dialect = await dialectNamed(given.dialect ?? task?.dialect ?? sim.dialects.main, sim)
  const forms = formsOf(dialect)
  const wanted = wantedOf(given, task?.dialect === dialect.name ? task : undefined, { sim, dialect, forms })
  const { model, kind, input, webhookUrl } = wanted
  const destination = { origin: origin || task?.origin || '', key: shownKey(sim) }
  const request = requestOf(dialect, wanted, destination, directiveHeader(given.directives))
  const omitted = omittedFields(dialect, wanted)
  const sent = Object.entries(input).filter(([name]) => !omitted.includes(name))
  const problem = inputProblemOf(sim, { ...wanted, input: Object.fromEntries(sent) })
  return {
    dialect: dialect.name,
    model,
    kind,
    input,
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    request: { ...request, code: requestCode(request, dialect) },
    kinds: kindsOf(forms),
    models: modelsOf(sim, dialect, kind),
    fields: inputFields(sim.tasks.planner.baseOf(kind)),
    omitted,
    has_webhook_url: forms.some((form) => form.webhookUrl !== ''),
    ...(problem !== undefined && { problem }),
  }
}

/** The service that the request is for. */
interface ServiceContext {
  readonly sim: Simulator
  readonly dialect: Dialect
  readonly forms: readonly [CreateForm, ...CreateForm[]]
}

type Order = Wanted & { readonly kind: string }

/** @param task the task whose order replaces the defaults, if it has the same dialect */
function wantedOf(given: NewRequest, task: Task | undefined, { sim, dialect, forms }: ServiceContext): Order {
  const { planner } = sim.tasks
  const base = task !== undefined && (given.kind ?? task.kind) === task.kind ? task : undefined
  const givenKind = given.kind ?? base?.kind
  const first = forms.find((form) => (form.kind ?? givenKind) === givenKind) ?? forms[0]
  const formKind = first.kind ?? givenKind
  const model =
    given.model ??
    base?.model ??
    usualModel(sim, dialect, formKind) ??
    exampleModel({ ...first, kind: formKind })
  const kind = first.kind ?? planner.kindOf(model, given.input ?? {})
  const order = { model, kind }
  const input =
    given.input ?? base?.input ?? exampleInput(first, { model, kind: planner.baseOf(kind) }, given.prompt)
  const webhookUrl =
    given.webhook_url === undefined
      ? base?.webhookUrl && maskUrl(base.webhookUrl)
      : (given.webhook_url ?? undefined)
  if (base !== undefined && base.model === model) return { ...order, input, webhookUrl, extra: base.extra }
  const path = base?.extra?.['path'] ?? formFor(dialect, { ...order, input, webhookUrl })?.path
  return { ...order, input, webhookUrl, extra: { path: path ?? first.path } }
}

function requestOf(
  dialect: Dialect,
  wanted: Order,
  destination: Destination,
  directive: string | undefined,
): ServiceRequestShape {
  const request = createRequest(dialect, wanted, destination)
  if (directive === undefined) return request
  return { ...request, headers: { ...request.headers, 'X-Sim': directive } }
}

function formsOf(dialect: Dialect): ServiceContext['forms'] {
  const [first, ...others] = createForms(dialect)
  if (first === undefined)
    throw new Problem('invalid_request', `The dialect ${dialect.name} creates no tasks.`, {
      param: 'dialect',
    })
  return [first, ...others]
}

function kindsOf(forms: ServiceContext['forms']): string[] {
  const kinds = forms.map(({ kind }) => kind)
  return [...new Set(kinds.flatMap((kind) => kind ?? KIND_NAMES))]
}

/** The models of a kind that the scenario or the service has. */
function modelsOf({ scenario, tasks: { planner } }: Simulator, { name }: Dialect, kind: string): string[] {
  const listed = Object.keys(scenario.models).filter((model) => !model.includes('*'))
  const all = new Set([...listed, ...(USUAL_MODELS[name] ?? [])])
  return [...all].filter((model) => planner.kindOf(model, {}) === kind)
}

function usualModel(sim: Simulator, { name }: Dialect, kind: string | undefined): string | undefined {
  const models = USUAL_MODELS[name] ?? []
  return kind === undefined ? models[0] : models.find((model) => sim.tasks.planner.kindOf(model, {}) === kind)
}

async function dialectNamed(name: string, { dialects }: Simulator): Promise<Dialect> {
  if (!dialects.names.includes(name))
    throw invalid('field', 'dialect', name, `one of ${dialects.names.join(', ')}`)
  return dialects.load(name)
}
