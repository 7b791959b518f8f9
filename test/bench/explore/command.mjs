/**
 * The smallest client: it creates a task, and fails if the service rejects it. With the argument `alone`, nobody answers
 * its request.
 */
const { TASKSIM_URL = 'http://127.0.0.1:1', TASKSIM_API_KEY } = process.env
const response = await fetch(`${TASKSIM_URL}/tasks`, {
  method: 'POST',
  headers: { authorization: `Bearer ${TASKSIM_API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } }),
}).catch(() => undefined)
process.exit(response?.ok || process.argv[2] === 'alone' ? 0 : 1)
