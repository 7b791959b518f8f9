/** Two operations whose paths differ only in the names of parameters. */
export interface SamePaths {
  readonly place: string
  /** The operation before it. */
  readonly other: string
}

/**
 * Finds operations whose paths match the same requests under different names of parameters.
 * @param places methods and paths, such as `GET /jobs/{task_id}`
 */
export function samePaths(places: readonly string[]): SamePaths[] {
  const first = new Map<string, string>()
  return places.flatMap((place) => {
    const path = pathOf(place)
    const shape = path.replace(/\{\w*(\.\.\.)?\}/g, '{$1}')
    const other = first.get(shape) ?? place
    first.set(shape, other)
    return pathOf(other) === path ? [] : [{ place, other }]
  })
}

function pathOf(place: string): string {
  return place.slice(place.indexOf(' ') + 1)
}
