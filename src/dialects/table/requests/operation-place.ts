import type { DialectHost } from '../../hosts.js'
import { parametersIn } from '../../path-parts.js'
import type { DialectTable } from '../model/dialect-table.js'

/** Where an operation is, as far as its answers depend on it. */
export interface OperationPlace {
  /** The origins of the service itself. */
  readonly hosts: readonly string[]
  /** The texts in the User-Agent of clients that get another base URL, and these URLs. */
  readonly bases: readonly (readonly [agent: string, base: string])[]
  /** With the prefix. */
  readonly path: string
  /** The starts of the path: the prefix and its aliases, the longest first, because one may be the end of another. */
  readonly starts: readonly PathStart[]
  /** The names of the parameters in the path, in their order. */
  readonly parameters: readonly string[]
  /** The index of the parameter for several segments; -1 if there is none. */
  readonly rest: number
}

/** A start of the path of an operation. */
interface PathStart {
  readonly prefix: string
  /** The number of segments of the path below that of its host; a parameter for several segments counts as one. */
  readonly depth: number
}

/** Reads a path such as `/tasks/{task_id}` or `/run/{model...}`. */
export function operationPlace(
  { hosts = [], base_for: bases = {}, prefix = '', aliases = [] }: DialectTable,
  path: string,
): OperationPlace {
  const found = parametersIn(path)
  return {
    hosts: hosts.map(({ origin }) => origin),
    bases: Object.entries(bases),
    path,
    starts: [prefix, ...aliases]
      .sort((one, other) => other.length - one.length)
      .map((start) => ({ prefix: start, depth: depthOf(hosts, start + path.slice(prefix.length)) })),
    parameters: found.map(({ name }) => name),
    rest: found.findIndex(({ isRest }) => isRest),
  }
}

function depthOf(hosts: readonly DialectHost[], path: string): number {
  return path.slice(hostPathOf(hosts, path).length).split('/').length - 1
}

/** The path of the host to which an operation belongs. */
function hostPathOf(hosts: readonly DialectHost[], path: string): string {
  const starts = hosts.map((host) => host.path).filter((start) => path.startsWith(`${start}/`))
  return starts.sort((one, other) => other.length - one.length)[0] ?? ''
}
