import type { Dialect } from '../../dialects/dialect.js'
import { addressOf } from '../../dialects/requests/address.js'
import { writeDuration } from '../../engine/clock/durations.js'
import { parseJson } from '../../engine/json.js'
import { Expression, javascript, type Written } from '../code/literal.js'
import type { DryRun, Sent } from './dry-run.js'
import { ID, ORIGIN, type PlannedRequest, type Step, type TestPlan } from './test-plan.js'

/** Where a step is in a test. */
interface StepContext {
  readonly dialect: Dialect | undefined
  /** What its request got. */
  readonly sent: Sent | undefined
  /** Whether the test has read the URLs of the files. */
  readonly isKept: boolean
  /** Whether the test looks at the response. */
  readonly isAnswer: boolean
}

/**
 * Writes the steps of a plan as the body of a test.
 * @param answer whether the last step gets the `response` that the test is about
 */
export function writeSteps(
  plan: TestPlan,
  run: Pick<DryRun, 'sent'>,
  dialect: Dialect | undefined,
  answer = false,
): string[] {
  const needsId = plan.steps.findIndex(usesId)
  const isKept = plan.steps.some(({ type }) => type === 'keep')
  const created = needsId === -1 ? -1 : lastCreate(plan.steps, needsId)
  return plan.steps.flatMap((step, index) => [
    ...writeStep(step, {
      dialect,
      sent: run.sent[index],
      isKept,
      isAnswer: answer && index === plan.steps.length - 1,
    }),
    ...(index === created ? [READ_ID] : []),
  ])
}

const READ_ID = "const { id = '' } = (await sim.control.tasks.list({ limit: 1 })).data[0] ?? {}"

function usesId(step: Step): boolean {
  if (step.type === 'send')
    return [step.request.path, step.request.query, step.request.body].join().includes(ID)
  return step.type !== 'advance' && step.type !== 'idle'
}

function lastCreate(steps: readonly Step[], before: number): number {
  return steps.findLastIndex((step, index) => index < before && step.type === 'send' && !usesId(step))
}

function writeStep(step: Step, context: StepContext): string[] {
  switch (step.type) {
    case 'send':
      return writeSend(step, context)
    case 'download':
      return writeDownload(step, context)
    case 'keep':
      return READ_FILES
    case 'advance':
      return [`await sim.clock.advance('${writeDuration(Math.ceil(step.ms))}')`]
    case 'idle':
      return ['await sim.clock.runUntilIdle() // until nothing is scheduled, such as a retry of a webhook']
    case 'hold':
      return ['await sim.control.tasks.hold(id)']
    case 'finish': {
      const { status, error } = step
      const ending = javascript({ status, error: error && { code: error.code, message: error.message } })
      return [`await sim.control.tasks.finish(id, ${ending})`]
    }
  }
}

function writeSend(
  { request, times = 1, ends }: Extract<Step, { type: 'send' }>,
  { dialect, sent, isAnswer }: StepContext,
): string[] {
  const call = fetchCall(request, dialect, times > 1 ? '  ' : '', sent?.hangs)
  const isLost = sent?.delivered === false
  if (times > 1) {
    const idle = ends === true ? ['  await sim.clock.runUntilIdle()'] : []
    const line = `  await ${call}${isLost ? '.catch(() => undefined)' : ''}`
    return [`for (let count = 1; count <= ${times}; count++) {`, line, ...idle, '}']
  }
  if (isLost && !isAnswer) return [`await ${call}.catch(() => undefined)`]
  if (!isLost) return [`${isAnswer ? 'const response = ' : ''}await ${call}`]
  return [`const sent = ${call}`, 'await expect(sent.then((response) => response.text())).rejects.toThrow()']
}

function writeDownload(
  { file, isAltered }: Extract<Step, { type: 'download' }>,
  { isKept, isAnswer }: StepContext,
): string[] {
  const url = isAltered ? `\`\${files[${file}]}0\`` : `String(files[${file}])`
  return [...(isKept ? [] : READ_FILES), `${isAnswer ? 'const response = ' : ''}await fetch(${url})`]
}

const READ_FILES = [
  'const { output } = await sim.control.tasks.get(id)',
  'const files = JSON.stringify(output).match(/https?:[^"]+\\/files\\/[^"]+/g) ?? []',
]

/** The call of `fetch` that sends a request. */
export function fetchCall(
  request: PlannedRequest,
  dialect: Dialect | undefined,
  indent = '',
  hangs = false,
): string {
  const { method, headers, body } = request
  const options: Record<string, Written | undefined> = {
    method: method === 'GET' ? undefined : method,
    headers: Object.keys(headers).length === 0 ? undefined : headers,
    body: body === undefined || body === '' ? undefined : bodyCode(body, `${indent}  `),
    signal: hangs ? new Expression('AbortSignal.timeout(500)') : undefined,
  }
  const url = textWithId(urlOf(request, dialect))
  const isPlain = Object.values(options).every((value) => value === undefined)
  return isPlain ? `fetch(${url})` : `fetch(${url}, ${javascript(options, indent)})`
}

function bodyCode(text: string, indent: string): Expression {
  const value = parseJson(text)
  const isJson = typeof value === 'object' && value !== null && JSON.stringify(value) === text
  if (text.includes(ID) || !isJson) return new Expression(textWithId(text))
  return new Expression(`JSON.stringify(${javascript(value, indent)})`)
}

function textWithId(text: string): string {
  if (!text.includes(ID)) return javascript(text)
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, (each) => `\\${each}`).replaceAll(ID, `\${id}`)}\``
}

/** The URL of a request at the service's own host. */
function urlOf({ path, query }: PlannedRequest, dialect: Dialect | undefined): string {
  const search = query === '' ? '' : `?${query}`
  if (dialect === undefined || dialect.hosts.length === 0) return ORIGIN + path + search
  const inDialect = path.startsWith(`/${dialect.name}/`) ? path.slice(dialect.name.length + 1) : path
  const { origin, path: onHost } = addressOf(dialect, inDialect, { origin: '' })
  return (origin || dialect.hosts[0]?.origin || ORIGIN) + onHost + search
}
