import { isSpeed, SPEED_FORM } from '../engine/clock/speed.js'
import { KEEP_BYTES_FORM, readKeepBytes } from '../engine/memory/keep-bytes.js'
import { isKeepTasks, KEEP_TASKS_FORM, USUALLY_KEPT } from '../engine/tasks/keep-tasks.js'
import { HTTP_URL_FORM, httpUrl } from '../engine/webhooks/http-url.js'
import { maskUrl } from '../engine/webhooks/mask-url.js'
import { SHIPPED_NAMES } from '../scenario/language/layers/assemble.js'
import { misuse } from './explain.js'
import { secretOption } from './secret-option.js'

/** What every command is told that runs a simulator behind a server. */
export interface SimulatorArguments {
  scenario: string
  seed: string | undefined
  clock: 'real' | 'manual'
  speed: number
  webhook: string[]
  'webhook-secret': string | undefined
  'webhook-allow': string[] | undefined
  'keep-tasks': number
  'keep-bytes': string | undefined
  handlers: string | undefined
}

/** The positional that names the scenario. */
export const scenarioPositional = {
  type: 'string',
  default: 'default',
  describe: `A path, or one of: ${SHIPPED_NAMES.join(', ')}`,
} as const

/** The options that say how the simulator is to be, in every command that runs one behind a server. */
export function simulatorOptions() {
  return {
    seed: {
      type: 'string',
      describe: "Seed of all chance, instead of the scenario's; random picks one",
    },
    clock: {
      choices: ['real', 'manual'] as const,
      default: 'real' as 'real' | 'manual',
      describe: 'Whether time runs by itself',
    },
    speed: {
      type: 'number',
      requiresArg: true,
      default: 1,
      describe: 'Seconds of service that pass in a second',
    },
    webhook: {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      default: [] as string[],
      describe: 'URL that gets the webhooks of every task; may be repeated',
    },
    'webhook-secret': secretOption(),
    'webhook-allow': {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      describe:
        'The only URLs that webhooks may go to; * stands for any characters; a link-local address must be named; may be repeated',
    },
    'keep-tasks': {
      type: 'number',
      requiresArg: true,
      default: USUALLY_KEPT,
      describe: 'How many ended tasks are kept; older ones are forgotten',
    },
    'keep-bytes': {
      type: 'string',
      requiresArg: true,
      describe:
        'How much memory tasks, files, webhooks and the journal may take; 512MB or half of the heap unless given',
    },
    handlers: {
      type: 'string',
      describe: 'Module whose default export is an array of MSW handlers that answer first',
    },
  } as const
}

/** @throws UsageError where an option makes no sense, by itself or with another */
export function checkSimulatorOptions({
  speed,
  clock,
  webhook,
  'keep-tasks': keepTasks,
  'keep-bytes': keepBytes,
}: Pick<SimulatorArguments, 'speed' | 'clock' | 'webhook' | 'keep-tasks' | 'keep-bytes'>): true {
  if (!isSpeed(speed)) throw misuse(`--speed must be ${SPEED_FORM}.`)
  if (clock === 'manual' && speed !== 1)
    throw misuse('--speed makes no sense with --clock manual, which stands still.')
  if (!isKeepTasks(keepTasks)) throw misuse(`--keep-tasks must be ${KEEP_TASKS_FORM}.`)
  if (keepBytes !== undefined && readKeepBytes(keepBytes) === undefined)
    throw misuse(`--keep-bytes must be ${KEEP_BYTES_FORM}; got ${JSON.stringify(keepBytes)}.`)
  for (const url of webhook) checkUrl('webhook', url)
  return true
}

/** @throws UsageError where the value of an option is no URL that can be sent to */
export function checkUrl(option: string, url: string): void {
  if (httpUrl(url) !== undefined) return
  throw misuse(`--${option} must be ${HTTP_URL_FORM}; got ${JSON.stringify(maskUrl(url))}.`)
}
