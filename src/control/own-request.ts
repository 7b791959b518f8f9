import type { ApiRequest } from '../exchange/exchange.js'

/** A request that tasksim makes itself, without a host. */
export function ownRequest({
  method = 'GET',
  path,
  query = '',
  origin,
  headers = {},
  body = '',
}: {
  readonly method?: string
  readonly path: string
  readonly query?: string
  readonly origin: string
  /** In any case of their names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}): ApiRequest {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    method,
    path,
    query,
    origin,
    header: (name) => byName.get(name),
    body: async () => new TextEncoder().encode(body),
  }
}
