/** A small client: it creates three tasks, and fails if the service rejects one. */
const { TASKSIM_URL, TASKSIM_API_KEY } = process.env
const statuses = []
for (const prompt of ['sea', 'sun', 'sky']) {
  const response = await fetch(`${TASKSIM_URL}/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TASKSIM_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/image-1', input: { prompt } }),
  })
  statuses.push(response.status)
}
process.exit(statuses.every((status) => status === 200) ? 0 : 1)
