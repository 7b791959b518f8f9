import type { RunCell } from '../report.js'
import { BASELINE } from '../run.js'

/** The results of the runs with one deviation, of one sort of place. */
export interface Matrix<Run extends RunCell> {
  /** Such as `requests`. */
  readonly title: string
  /** The words of the deviations, in the order of their first run. */
  readonly deviations: readonly string[]
  readonly rows: readonly MatrixRow<Run>[]
}

/** The results at one place. */
interface MatrixRow<Run> {
  readonly place: string
  /** By the word of the deviation; a deviation that cannot happen there has none. */
  readonly runs: ReadonlyMap<string, Run>
}

/** Arranges the runs with one deviation by place and deviation, in a table for each sort of place. */
export function matricesOf<Run extends RunCell>(runs: readonly Run[]): Matrix<Run>[] {
  const single = runs.filter((run) => isSingle(run) && run.place !== BASELINE)
  return TITLES.flatMap(([title, isOfSort]) => {
    const ofSort = single.filter(({ place }) => isOfSort(place))
    if (ofSort.length === 0) return []
    const places = [...new Set(ofSort.map(({ place }) => place))]
    const rows = places.map((place) => ({
      place,
      runs: new Map(ofSort.filter((run) => run.place === place).map((run) => [run.deviation, run])),
    }))
    return [{ title, deviations: [...new Set(ofSort.map(({ deviation }) => deviation))], rows }]
  })
}

/** Whether a run has one deviation only. */
export function isSingle({ id }: RunCell): boolean {
  return !id.includes('+')
}

const startsWith = (start: string) => (place: string) => place.startsWith(start)
const isOther = (place: string) => !/^(?:webhook:|task#|file#|service@)/.test(place)

/** The sorts of places, and how to tell them by their names. */
const TITLES: readonly (readonly [string, (place: string) => boolean])[] = [
  ['requests', isOther],
  ['webhooks', startsWith('webhook:')],
  ['tasks', startsWith('task#')],
  ['files', startsWith('file#')],
  ['service, from here on', startsWith('service@')],
]
