import { SERVICES, type Service } from '../../support/services.js'

const TASKS: Service = {
  origin: 'https://api.example.com',
  create: '/api/v1/tasks',
  body: { model: 'acme/image-1', input: { prompt: 'a lighthouse' } },
  hook: 'webhook_url',
  task: (id) => `/api/v1/tasks/${id}`,
  list: '/api/v1/tasks?limit=1',
  interval: 1,
}

/** The services of all dialects whose clients are recorded. */
export const RECORDED_SERVICES: Readonly<Record<string, Service>> = { tasks: TASKS, ...SERVICES }

/** The headers of all requests to a service. */
export function headersFor(service: Service): Readonly<Record<string, string>> {
  const { key = 'Bearer sk_live_local' } = service
  const own =
    service === SERVICES['google']
      ? { 'x-goog-api-key': key.replace(/^Bearer /, '') }
      : { authorization: key }
  return { ...own, 'content-type': 'application/json', 'x-runway-version': '2024-11-06' }
}
