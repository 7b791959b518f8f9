import type { Dialect } from '../../dialects/dialect.js'
import { findOperation } from '../../dialects/reading/find-operation.js'
import { readOrder, type SeenOrder } from '../../dialects/reading/read-order.js'
import { type CreateForm, createForms } from '../../dialects/requests/create-form.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import { exampleInput, exampleModel } from '../../dialects/requests/example-order.js'
import type { Destination, Wanted } from '../../dialects/requests/service-request.js'
import type { EndedApi } from '../../dialects/table/dialect-table.generated.js'
import { endedApi, remarkOn } from '../../dialects/table/ended.js'
import { mediaOptions } from '../../dialects/table/requests/media-options.js'
import { DirectiveError, parseDirective, writeDirective } from '../../engine/directive/directive.js'
import { maskUrl } from '../../engine/mask.js'
import { InputError } from '../../engine/tasks/kinds.js'
import type { Task } from '../../engine/tasks/task.js'
import { inputProblem, invalid, Problem } from '../../exchange/problem.js'
import { shownKey } from '../../http/api-key.js'
import type { Exchange } from '../../http/operation.js'
import { KIND_NAMES } from '../../kinds/built-in-kinds.js'
import type { Simulator } from '../../simulator/simulator.js'
import { requestCode } from '../code/request-code.js'
import type { InputProblemShape, NewRequest, ServiceRequestShape, WrittenRequestShape } from '../shapes.js'
import { taskWithId } from '../tasks/task-shape.js'
import { inputFields } from './input-fields.js'

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
  const end = endOf(dialect, wanted)
  const problem = inputProblemOf(sim, dialect, { ...wanted, input: Object.fromEntries(sent) })
  return {
    dialect: dialect.name,
    model,
    kind,
    input,
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    request: { ...request, code: requestCode(request, dialect) },
    kinds: kindsOf(forms),
    models: modelsOf(sim, dialect, kind),
    fields: inputFields(sim.tasks.factory.planner.baseOf(kind)),
    omitted,
    has_webhook_url: forms.some((form) => form.webhookUrl !== ''),
    ...(end !== undefined && { ended: remarkOn(end, sim.today()) }),
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
  const { planner } = sim.tasks.factory
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
function modelsOf({ scenario, tasks }: Simulator, { table }: Dialect, kind: string): string[] {
  const listed = Object.keys(scenario.models).filter((model) => !model.includes('*'))
  const all = new Set([...listed, ...(table.models ?? [])])
  return [...all].filter((model) => tasks.factory.planner.kindOf(model, {}) === kind)
}

function usualModel(sim: Simulator, dialect: Dialect, kind: string | undefined): string | undefined {
  const { models = [] } = dialect.table
  return kind === undefined
    ? models[0]
    : models.find((model) => sim.tasks.factory.planner.kindOf(model, {}) === kind)
}

async function dialectNamed(name: string, { dialects }: Simulator): Promise<Dialect> {
  if (!dialects.names.includes(name))
    throw invalid('field', 'dialect', name, `one of ${dialects.names.join(', ')}`)
  return dialects.load(name)
}

/** Why the service would reject an input; undefined if it would not. */
function inputProblemOf(
  {
    tasks: {
      factory: { planner },
    },
  }: Simulator,
  dialect: Dialect,
  { model, kind, input }: Wanted & { readonly kind: string },
): InputProblemShape | undefined {
  try {
    planner.check(model, input)
    const checks = createForms(dialect).some(({ check_input }) => check_input)
    const { options } = dialect.table
    planner.mediaOf(kind, model, options === undefined ? input : mediaOptions(options, input), !checks)
    return undefined
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message } = inputProblem(error)
    return { field: error.param.replace(/^input\./, ''), message }
  }
}

/** What a header can hold in every client. */
const PRINTABLE = /^[\x20-\x7e]*$/

/**
 * Writes directives as the value of `X-Sim`; undefined if there are none.
 * @throws Problem 400 if a directive is not valid
 */
function directiveHeader(directives: NewRequest['directives'] = {}): string | undefined {
  const header = writeDirective(directives)
  if (header === '') return undefined
  const flaw = flawOf(header)
  if (flaw !== undefined) throw new Problem('invalid_request', `${flaw}.`, { param: 'directives' })
  return header
}

function flawOf(header: string): string | undefined {
  if (!PRINTABLE.test(header))
    return 'A directive is sent in a header, so it must consist of printable ASCII characters'
  try {
    parseDirective(header)
    return undefined
  } catch (error) {
    if (error instanceof DirectiveError) return error.message
    throw error
  }
}

/** Stands for the server, if the dialect names no host. */
const SERVER = 'http://server.invalid'

/** The first operation for an order whose request names the model as the service would. */
function formFor(dialect: Dialect, wanted: Wanted): CreateForm | undefined {
  const fits = createForms(dialect).filter(({ kind }) => kind === undefined || kind === wanted.kind)
  return fits.find(({ path }) => {
    const order = { ...wanted, extra: { path } }
    const { pathname } = urlOf(dialect, order)
    // A model with several segments does not belong into one segment.
    return !pathname.includes('%2F') && seenIn(dialect, order)?.model === wanted.model
  })
}

/** The fields of an input that a request of the service does not contain, or with another value. */
function omittedFields(dialect: Dialect, wanted: Wanted): string[] {
  const seen = seenIn(dialect, wanted)?.input ?? {}
  return Object.keys(wanted.input).filter(
    (name) => JSON.stringify(seen[name]) !== JSON.stringify(wanted.input[name]),
  )
}

/** The ended API for which the request for an order is. */
function endOf(dialect: Dialect, wanted: Wanted): EndedApi | undefined {
  const { method } = createRequest(dialect, wanted, { origin: '', key: 'any' })
  const found = findOperation(dialect, { method, url: urlOf(dialect, wanted) })
  return found && endedApi(dialect.table, found.operation.path, wanted.model)
}

/** What the service reads in the request for an order. */
function seenIn(dialect: Dialect, wanted: Wanted): SeenOrder | undefined {
  const { method, body = {}, headers } = createRequest(dialect, wanted, { origin: '', key: 'any' })
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return readOrder(dialect, { method, url: urlOf(dialect, wanted), body, header: (name) => named.get(name) })
}

function urlOf(dialect: Dialect, wanted: Wanted): URL {
  return new URL(createRequest(dialect, wanted, { origin: '', key: 'any' }).url, SERVER)
}
