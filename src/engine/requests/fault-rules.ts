import { type Occurrence, OccurrenceCounter } from '../occurrence-counter.js'
import type { Chance } from '../random.js'
import type { Recent } from '../recent.js'
import { FrequencyCondition } from '../scenario/frequency.js'
import type { FaultSource } from '../scenario/rules.js'
import { ruleNames, type TaskTraits, taskMatcher } from '../scenario/rules.js'
import type { Status } from '../tasks/task.js'
import type { Fault, Step } from './fault.js'
import { type OperationName, operationMatcher } from './operations.js'

/** The properties of a request that fault rules match. */
export interface FaultContext {
  readonly operation: OperationName
  readonly method: string
  /** The name of the wire format. */
  readonly dialect: string
  readonly key: string
  /** The task that the request creates or names; undefined without one. */
  readonly task:
    | (Omit<TaskTraits, 'key' | 'dialect'> & {
        /** Undefined before its creation. */
        readonly status?: Status | undefined
      })
    | undefined
  /** A short key of the task: its id or, in a create request, a hash of the order. */
  readonly subject: string | undefined
  /** Identifies repeated requests: they have the same identity. */
  readonly identity: string
}

/** A fault that applies to a request. */
export interface MatchedFault {
  readonly fault: Fault
  /** The name of the rule, or `directive`. */
  readonly rule: string
  /** The seed for the random values of the fault. */
  readonly chance: Chance
}

interface FaultRule {
  readonly name: string
  readonly matches: (request: FaultContext) => boolean
  readonly frequency: FrequencyCondition
  readonly stepAt: (number: number) => Step | undefined
}

/** Finds the fault of each request. */
export class FaultRules {
  /** Whether only a directive can cause a fault. */
  readonly isEmpty: boolean
  readonly #rules: readonly FaultRule[]
  readonly #requests: OccurrenceCounter

  constructor(sources: readonly FaultSource[], chance: Chance) {
    const names = ruleNames(sources, 'faults')
    this.#rules = sources.map((source, index) => compile(source, names[index] ?? ''))
    this.isEmpty = sources.length === 0
    this.#requests = new OccurrenceCounter(chance)
  }

  /** How often requests occurred, and for each rule how many it has counted. */
  get counts(): readonly Recent<string | number, number>[] {
    return [this.#requests.recent, ...this.#rules.map(({ frequency }) => frequency.counts)]
  }

  /**
   * Counts a request and finds its fault: that of its directive, or of the first rule that matches.
   * @param since milliseconds since the scenario became active
   * @param own the steps of a directive in the request, one for each time that the request is sent
   */
  match(request: FaultContext, since: number, own?: readonly Step[]): MatchedFault | undefined {
    if (own !== undefined) {
      // Only requests with a directive count for its steps.
      const occurrence = this.#requests.count(`directive\0${request.operation}\0${request.identity}`)
      return matched(stepOf(own, occurrence.number), 'directive', chanceOf(occurrence))
    }
    const chance = chanceOf(this.#requests.count(`${request.operation}\0${request.identity}`))
    let first: MatchedFault | undefined
    for (const { name, matches, frequency, stepAt } of this.#rules) {
      if (!matches(request)) continue
      // Every rule counts all requests that it matches, even if an earlier rule applies.
      const random = () => chance.stream(`fault ${name}`)
      const number = frequency.take({ since, key: request.key, task: request.subject, random })
      if (number !== undefined) first ??= matched(stepAt(number), name, chance)
    }
    return first
  }
}

/** Each occurrence has its own seed. */
function chanceOf({ seed, number }: Occurrence): Chance {
  return seed.child(String(number))
}

function matched(step: Step | undefined, rule: string, chance: Chance): MatchedFault | undefined {
  return step === undefined || step === 'pass' ? undefined : { fault: step, rule, chance }
}

/** The n-th step. A single step applies every time. */
function stepOf(steps: readonly Step[], number: number): Step | undefined {
  return steps.length === 1 ? steps[0] : steps[number - 1]
}

function compile({ when = {}, then }: FaultSource, name: string): FaultRule {
  const { operation, method, task_status: status, model, kind, dialect, key, input, ...conditions } = when
  const isOperation = operationMatcher(operation)
  const isTask = taskMatcher({ model, kind, dialect, key, input })
  const isAboutTasks = model !== undefined || kind !== undefined || input !== undefined
  const isRequest = taskMatcher({ dialect, key })
  return {
    name,
    frequency: new FrequencyCondition(conditions),
    stepAt: (number) => (Array.isArray(then) ? then[number - 1] : then),
    matches: (request) => {
      if (!isOperation(request.operation)) return false
      if (method !== undefined && method !== request.method) return false
      const { task, dialect, key } = request
      if (status !== undefined && status !== task?.status) return false
      if (task !== undefined) return isTask({ ...task, dialect, key })
      return !isAboutTasks && isRequest({ ...NO_TASK, dialect, key })
    },
  }
}

const NO_TASK = { model: '', kind: 'image', input: {} } as const
