import type { JsonObject } from '../engine/json.js'
import type { LiveTasksCode } from '../engine/progress/live-part.js'
import type { Random } from '../engine/random.js'
import type { AnswerShape } from '../engine/tasks/answered-task.js'
import type { OutputTimes } from '../engine/tasks/kinds.js'
import type { Task } from '../engine/tasks/task.js'
import type { WebhookFormat } from '../engine/webhooks/webhook-format.js'
import type { Rejection, Reply } from '../exchange/exchange.js'
import type { Scenario } from '../scenario/scenario.js'
import type {
  DialectForward,
  DialectHost,
  DialectLimitHeaders,
  DialectTable,
} from './table/dialect-table.generated.js'

/**
 * The wire format of one service: its paths, fields, status words, errors, webhooks and signatures. Everything else,
 * such as time, failures, costs and faults, is the same for all services.
 */
export interface Dialect {
  /** The name in options, scenarios and paths, such as `tasks`. */
  readonly name: string
  /** The hosts that the service's own clients call, also that of output files. */
  readonly hosts: readonly DialectHost[]
  /** The origin of output files for clients that call the hosts; undefined if it is the one that they call. */
  readonly fileHost?: string | undefined
  /** The interval of polls that the service recommends, in milliseconds; undefined if it depends on the kind of task. */
  pollInterval?(task: Pick<Task, 'extra'>): number | undefined
  /**
   * Says where its operations are, for the error of an unknown path, in a sentence.
   * @param mount the start of the path of the request: `/` and the name of the dialect, or nothing at the root
   * @param asked the method and the path of the request, such as `GET /v1/task`
   */
  help(mount: string, asked: string): string
  /** The path at which clients send requests for any host of the service, if they do that. */
  readonly forward?: DialectForward | undefined
  /** Where a request carries its API key. */
  readonly key: KeyLocation
  /** Further headers that every request must have: as the service spells them, by their names in lower case. */
  readonly requiredHeaders?: ReadonlyMap<string, string> | undefined
  /** The description from which the dialect was built. */
  readonly table: DialectTable
  /** The headers with the state of a rate limit, if they differ from those of the scenario. */
  readonly limitHeaders?: LimitHeaders | undefined
  /** How long outputs and their URLs are valid, if the scenario does not say. */
  readonly outputTimes?: OutputTimes | undefined
  /** The code that shows tasks before their end, if the service does that. */
  readonly liveTasks?: LiveTasksCode | undefined
  /** Where an answer holds tasks, for faults and findings. */
  readonly answers: AnswerShape
  /** The form of the ids of tasks. */
  readonly taskIds: TaskIds
  /** Writes a rejection as the service does. */
  error(rejection: Rejection, requestId: string, scenario: Scenario): Reply
  /** Returns how the service sends webhooks. */
  webhooks(scenario: Scenario): WebhookFormat
}

/** The form of the ids of tasks. */
interface TaskIds {
  /** Matches every id, and little else: in process, paths of files with such ids are answered on any origin. */
  readonly pattern: RegExp
  /** @param extra the values of the order that the wire format needs later */
  draw(random: Random, extra?: JsonObject): string
}

/** The header of the API key, such as `Authorization: Bearer <API_KEY>`, and the query parameter in its place. */
export interface KeyLocation {
  readonly header: string
  /** The word before the key; undefined if the header holds nothing else. */
  readonly scheme: string | undefined
  /** The query parameter that may hold the key if the header is missing. */
  readonly query?: string | undefined
  /** Further locations, which are tried in turn if this one has no key. */
  readonly or?: readonly KeyLocation[] | undefined
}

/** All locations of an API key, the first one first. */
export function keyLocations(location: KeyLocation): readonly [KeyLocation, ...KeyLocation[]] {
  return [location, ...(location.or ?? [])]
}

/** The names of the headers with the state of a rate limit. */
export interface LimitHeaders extends Omit<DialectLimitHeaders, 'reset_as'> {
  /** Writes the time until all requests are available again, in milliseconds; by default, in whole seconds. */
  readonly writeReset?: ((span: number) => string) | undefined
}
