/** The smallest server with Express, which prints its address when it listens. */
import express from 'express'

const app = express()
app.get('/', (_, response) => response.json({}))
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`)
})
