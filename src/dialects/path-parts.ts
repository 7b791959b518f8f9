/** A parameter of a path: `{name}`, or `{name...}` for several segments. */
export interface PathParameter {
  readonly name: string
  /** Whether it stands for several segments. */
  readonly isRest: boolean
}

/** The constant texts of a path such as `/run/{model...}`, and the parameters between them. */
export function pathParts(path: string): (string | PathParameter)[] {
  return path
    .split(/(\{\w+(?:\.\.\.)?\})/)
    .map((part, index) =>
      index % 2 === 0 ? part : { name: part.replace(/\W/g, ''), isRest: part.endsWith('...}') },
    )
}

/** The parameters of a path, in their order. */
export function parametersIn(path: string): PathParameter[] {
  return pathParts(path).filter((part) => typeof part !== 'string')
}

/** Decodes a percent-encoded part of a path. Returns a part that is not valid as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
