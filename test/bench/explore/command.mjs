/** The smallest client: it creates a task, and fails if the service rejects it. With the argument `alone`, it sends nothing. */
const { TASKSIM_URL, TASKSIM_API_KEY } = process.env
if (process.argv[2] !== 'alone') {
  const { ok } = await fetch(`${TASKSIM_URL}/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TASKSIM_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } }),
  })
  process.exit(ok ? 0 : 1)
}
