import { UsageError } from '../engine/errors.js'
import type { ReachedPlace } from '../engine/exploration/exploration.js'
import { type Place, readPlace, writePlace } from '../engine/exploration/place.js'
import { globMatcher } from '../engine/scenario/glob.js'
import { suggest } from '../engine/suggest.js'
import { DEVIATION_WORDS, DEVIATIONS, type Deviation, type Effect } from './deviations.js'
import { BASELINE, type PlannedDeviation, type RunSpec } from './run.js'

/** What a run consists of, and what it is called. */
export type PlannedRun = Pick<RunSpec, 'id' | 'deviations'>

/** Which runs to plan. Without filters: all. */
export interface PlanFilters {
  /** Places, operations such as `tasks.create`, types such as `webhook`, or patterns with `*`. */
  readonly places?: readonly string[] | undefined
  /** Words of deviations. */
  readonly deviations?: readonly string[] | undefined
  /** Ids of runs to leave out, or patterns with `*`. */
  readonly skip?: readonly string[] | undefined
  /** The exact ids of the only runs. */
  readonly only?: readonly string[] | undefined
}

/** A place, and what can go wrong there. */
interface Occasion {
  readonly reached: ReachedPlace
  readonly planned: readonly PlannedDeviation[]
}

/**
 * Plans a run for each deviation at each place of a baseline, in the order of the places.
 * @throws UsageError if a filter names nothing
 */
export function planRuns(
  baseline: readonly ReachedPlace[],
  filters: PlanFilters = {},
): readonly PlannedRun[] {
  const occasions = occasionsAt(withServicePlaces(baseline))
  const all = occasions.flatMap(({ planned }) => planned.map((each) => runOf([each])))
  checkFilters(filters, occasions, all)
  const second = (filters.only ?? [])
    .filter((id) => id.includes('+'))
    .map((id) => secondOrderRun(id, occasions, all))
  return [...all, ...second].filter(selected(filters))
}

/**
 * Plans the runs with a second deviation at the requests that exist only because of the first, the transient ones first.
 * @param first the run with one deviation
 * @param reached the places that it has reached
 */
export function planSecondRuns(
  first: PlannedRun,
  reached: readonly ReachedPlace[],
  baseline: readonly ReachedPlace[],
  { places: _, deviations, ...filters }: PlanFilters = {},
): readonly PlannedRun[] {
  const [deviation] = first.deviations
  if (deviation === undefined || first.deviations.length > 1 || isOutage(deviation)) return []
  const known = new Set(baseline.map(({ id }) => id))
  const added = reached.filter(({ id, place }) => !known.has(id) && isRequest(place))
  const planned = occasionsAt(added).flatMap(({ planned }) => planned)
  return [...planned.filter(isTransient), ...planned.filter((each) => !isTransient(each))]
    .map((second) => runOf([deviation, second]))
    .filter(selected(filters))
    .filter(({ deviations: [, second] }) => second !== undefined && hasWord(second, deviations))
}

/** The class of a run, for reports: that of its planned deviations which asks least of the client. */
export function plannedClassOf({ deviations }: Pick<RunSpec, 'deviations'>): PlannedDeviation['class'] {
  const classes = deviations.map((each) => each.class)
  return (['permanent', 'either', 'forgery'] as const).find((each) => classes.includes(each)) ?? 'transient'
}

/** Such as `tasks.create`, `webhook` or `service`. */
export function operationOf(place: Place): string {
  if (place.type === 'request') return place.operation
  return place.type
}

function isRequest({ type }: Place): boolean {
  return type === 'request' || type === 'file'
}

/** The requests during an outage fail anyway, and those after it are like those after a `503`. */
function isOutage({ place }: PlannedDeviation): boolean {
  return readPlace(place)?.type === 'service'
}

function isTransient(planned: PlannedDeviation): boolean {
  return planned.class === 'transient'
}

/** Adds the whole service from the first request of each operation on. */
function withServicePlaces(places: readonly ReachedPlace[]): readonly ReachedPlace[] {
  const operations = new Set<string>()
  const service = places.flatMap((reached): ReachedPlace[] => {
    const { place } = reached
    if (place.type !== 'request' || operations.has(place.operation)) return []
    operations.add(place.operation)
    const from: Place = { type: 'service', from: place }
    return [{ ...reached, id: writePlace(from), place: from }]
  })
  return [...places, ...service]
}

function occasionsAt(places: readonly ReachedPlace[]): readonly Occasion[] {
  return places.map((reached) => ({
    reached,
    planned: DEVIATIONS.flatMap((deviation) =>
      deviation.at(reached, places).map((effect) => plannedDeviation(reached, deviation, effect)),
    ),
  }))
}

function plannedDeviation(
  { id: place }: ReachedPlace,
  { word: name, class: kind }: Deviation,
  { variant, delays = 0, ...armed }: Effect,
): PlannedDeviation {
  const word = variant === undefined ? name : `${name}.${variant.replace(/[^\w-]+/g, '_')}`
  return { place, word, class: kind, armed: { id: `${place}:${word}`, place, ...armed }, delays }
}

function runOf(deviations: readonly PlannedDeviation[]): PlannedRun {
  return { id: deviations.map(({ armed }) => armed.id).join('+'), deviations }
}

function selected({ places, deviations, skip = [], only }: PlanFilters): (run: PlannedRun) => boolean {
  const skips = skip.map(globMatcher)
  return ({ id, deviations: planned }) => {
    const [first] = planned
    return (
      first !== undefined &&
      (places === undefined || places.some((wanted) => isAt(first.place, wanted))) &&
      planned.some((each) => hasWord(each, deviations)) &&
      (only === undefined || only.includes(id)) &&
      !skips.some((matches) => matches(id))
    )
  }
}

/** Whether a place is the wanted one, or of the wanted operation or type. */
function isAt(id: string, wanted: string): boolean {
  const place = readPlace(id)
  return globMatcher(wanted)(id) || (place !== undefined && operationOf(place) === wanted)
}

function hasWord({ word }: PlannedDeviation, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.some((each) => word === each || word.startsWith(`${each}.`))
}

function checkFilters(
  { places = [], deviations = [], skip = [], only = [] }: PlanFilters,
  occasions: readonly Occasion[],
  all: readonly PlannedRun[],
): void {
  const ids = all.map(({ id }) => id)
  const known = occasions.map(({ reached }) => reached)
  const operations = [...new Set(known.map(({ place }) => operationOf(place)))]
  for (const place of places)
    if (!known.some(({ id }) => isAt(id, place)))
      throw new UsageError(
        `The client reaches no place ${JSON.stringify(place)}: ${suggest(place, [...operations, ...known.map(({ id }) => id)])}`,
      )
  const words = [...new Set(occasions.flatMap(({ planned }) => planned.map(({ word }) => word)))]
  for (const word of deviations)
    if (!DEVIATION_WORDS.includes(word) && !words.includes(word))
      throw new UsageError(`There is no deviation ${JSON.stringify(word)}: ${suggest(word, DEVIATION_WORDS)}`)
  for (const id of only)
    if (id !== BASELINE && !id.includes('+') && !ids.includes(id)) throw noSuchRun(id, occasions)
  for (const id of skip) if (!id.includes('+') && !ids.some(globMatcher(id))) throw noSuchRun(id, occasions)
}

/** Explains why there is no run with an id. */
function noSuchRun(id: string, occasions: readonly Occasion[]): UsageError {
  const end = id.lastIndexOf(':')
  const [place, word] = [id.slice(0, end), id.slice(end + 1)]
  const occasion = occasions.find(({ reached }) => reached.id === place)
  const remedy =
    occasion === undefined
      ? suggest(
          id,
          occasions.flatMap(({ planned }) => planned.map(({ armed }) => armed.id)),
        )
      : `at ${place}, ${suggest(
          word,
          occasion.planned.map((each) => each.word),
        )}`
  return new UsageError(`There is no run ${JSON.stringify(id)}: ${remedy}`)
}

/** Reads the id of a run with two deviations, whose second place only the first one leads to. */
function secondOrderRun(id: string, occasions: readonly Occasion[], all: readonly PlannedRun[]): PlannedRun {
  const [firstId = '', secondId = '', more] = id.split('+')
  const [first] = all.find((run) => run.id === firstId)?.deviations ?? []
  if (first === undefined) throw noSuchRun(firstId, occasions)
  const end = secondId.lastIndexOf(':')
  const place = readPlace(secondId.slice(0, end))
  const near = occasions.find(({ reached }) => reached.id === first.place)?.reached
  if (place === undefined || near === undefined || more !== undefined || !isRequest(place))
    throw new UsageError(
      `The second half of the run ${JSON.stringify(id)} is not a request with a deviation, such as tasks.create#1'2:503`,
    )
  const occasion = occasionsAt([{ ...near, id: writePlace(place), place }])
  const second = occasion[0]?.planned.find(({ armed }) => armed.id === secondId)
  if (second === undefined) throw noSuchRun(secondId, occasion)
  return runOf([first, second])
}
