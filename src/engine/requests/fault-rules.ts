import type { FaultSource } from '../../scenario/model/layer.js'
import { FrequencyCondition } from '../../scenario/rules/frequency.js'
import { ruleNames, type TaskTraits, taskMatcher } from '../../scenario/rules/rules.js'
import { type Occurrence, OccurrenceCounter } from '../occurrence-counter.js'
import type { Chance } from '../random.js'
import type { Fault, Step } from './fault.js'
import { operationMatcher, type ServiceOperation } from './operations.js'

/** A request, as far as faults look at it. */
export interface FaultContext {
  readonly operation: ServiceOperation
  readonly method: string
  readonly key: string
  /** The task that is asked for or about, where there is one; a create request's has no id yet. */
  readonly task: Omit<TaskTraits, 'key'> | undefined
  /** What stands for the task in a few characters: its id, or a number for what a create request asks for. */
  readonly subject: string | undefined
  /** What is the same in requests that ask for the same. */
  readonly identity: string
}

/** A fault that applies to a request. */
export interface MatchedFault {
  readonly fault: Fault
  /** The rule that says so. */
  readonly rule: string
  /** The root of what the fault itself has to draw. */
  readonly chance: Chance
}

interface FaultRule {
  readonly name: string
  readonly matches: (request: FaultContext) => boolean
  readonly frequency: FrequencyCondition
  readonly stepAt: (number: number) => Step | undefined
}

/** Decides which requests go wrong, and how. */
export class FaultRules {
  readonly #rules: readonly FaultRule[]
  readonly #requests: OccurrenceCounter

  constructor(sources: readonly FaultSource[], chance: Chance) {
    const names = ruleNames(sources, 'faults')
    this.#rules = sources.map((source, index) => compile(source, names[index] ?? ''))
    this.#requests = new OccurrenceCounter(chance)
  }

  /** Whether no request can go wrong unless it asks for it. */
  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  /**
   * Counts a request and finds its fault: that of its directive, or of the first rule that matches.
   * @param since milliseconds since the scenario came into force
   * @param own the steps that a directive in the request names, one for each time that it is sent
   */
  match(request: FaultContext, since: number, own?: readonly Step[]): MatchedFault | undefined {
    if (own !== undefined) {
      // A directive counts the requests that carry it, whatever came without.
      const again = this.#requests.count(`directive\0${request.operation}\0${request.identity}`)
      return matched(stepOf(own, again.number), 'directive', chanceOf(again))
    }
    const chance = chanceOf(this.#requests.count(`${request.operation}\0${request.identity}`))
    let first: MatchedFault | undefined
    for (const { name, matches, frequency, stepAt } of this.#rules) {
      if (!matches(request)) continue
      // Every rule counts every request that it is about, whether or not another one decides.
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

/** The n-th of the steps; a single one is for all. */
function stepOf(steps: readonly Step[], number: number): Step | undefined {
  return steps.length === 1 ? steps[0] : steps[number - 1]
}

function compile({ when = {}, then }: FaultSource, name: string): FaultRule {
  const { operation, method, model, kind, key, input, ...conditions } = when
  const isOperation = operationMatcher(operation)
  const isTask = taskMatcher({ model, kind, key, input })
  const isAboutTasks = model !== undefined || kind !== undefined || input !== undefined
  const isKey = taskMatcher({ key })
  return {
    name,
    frequency: new FrequencyCondition(conditions),
    stepAt: (number) => (Array.isArray(then) ? then[number - 1] : then),
    matches: (request) => {
      if (!isOperation(request.operation)) return false
      if (method !== undefined && method !== request.method) return false
      if (request.task !== undefined) return isTask({ ...request.task, key: request.key })
      return !isAboutTasks && isKey({ ...NO_TASK, key: request.key })
    },
  }
}

const NO_TASK = { model: '', kind: 'image', input: {} } as const
