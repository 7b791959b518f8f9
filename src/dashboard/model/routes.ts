/** The views of the page, in the order of its navigation. */
export const VIEWS = ['tasks', 'webhooks', 'findings', 'scenario', 'numbers'] as const
export type View = (typeof VIEWS)[number]

/** Where in the page one is. */
export interface Place {
  readonly view: View
  /** The one thing that is looked at, such as a task. */
  readonly id: string | undefined
  /** The sandbox that is looked into; the simulator itself where undefined. */
  readonly sandbox: string | undefined
}

/** Reads the part of the address behind its `#`. */
export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  const [name, id] = path.split('/')
  const view = VIEWS.find((known) => known === name) ?? 'tasks'
  return {
    view,
    id: id ? decoded(id) : undefined,
    sandbox: new URLSearchParams(query).get('sandbox') ?? undefined,
  }
}

/** Writes it. */
export function hashOf({ view, id, sandbox }: Place): string {
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`
  return `#/${path}${sandbox === undefined ? '' : `?sandbox=${encodeURIComponent(sandbox)}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
