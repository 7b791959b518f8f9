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

/** How a client cancels or deletes a task. */
export const CANCEL: Readonly<Record<string, (id: string) => readonly [method: string, path: string]>> = {
  tasks: (id) => ['POST', `/api/v1/tasks/${id}/cancel`],
  fal: (id) => ['PUT', `/fal-ai/flux/requests/${id}/cancel`],
  openai: (id) => ['POST', `/v1/responses/${id}/cancel`],
  replicate: (id) => ['POST', `/v1/predictions/${id}/cancel`],
  runpod: (id) => ['POST', `/v2/flux-image/cancel/${id}`],
  runway: (id) => ['DELETE', `/v1/tasks/${id}`],
}

/** How a client reads a stream. */
export const STREAM: Readonly<Record<string, (id: string) => readonly [string, string, object?]>> = {
  fal: (id) => ['GET', `/fal-ai/flux/requests/${id}/status/stream`],
  openai: () => ['POST', '/v1/responses', { model: 'o3', input: 'Write.', stream: true }],
}
