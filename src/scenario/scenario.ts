import type * as v from 'valibot'
import type { DialectSettings, ScenarioSettings } from '../engine/scenario/scenario.js'
import type { scenarioSchema } from './schema/scenario.js'

type Checked = v.InferOutput<typeof scenarioSchema>

/**
 * One layer of a scenario, as its schema returns it: a file, or an object in code. Durations are milliseconds, and every
 * section may be missing.
 * @internal
 */
export interface ScenarioLayer extends Omit<Checked, 'dialects'> {
  /** Also with the content of the files, where tasksim has read them. */
  readonly dialects?: Readonly<Record<string, DialectSettings>> | undefined
}

/**
 * An expectation about the behavior of the scenario. Durations are text.
 * @internal
 */
export type Expectation = NonNullable<ScenarioLayer['expect']>[number]

/** A complete scenario, and what was written. */
export interface Scenario extends ScenarioSettings {
  /**
   * The scenario merged with the scenarios that it extends, without defaults.
   * @internal
   */
  readonly layer: ScenarioLayer
  /**
   * The expectations that `tasksim validate` checks.
   * @internal
   */
  readonly expect: readonly Expectation[]
}
