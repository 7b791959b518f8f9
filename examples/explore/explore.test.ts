import { explore } from 'tasksim/vitest'
import { generate } from './client.js'

explore('a video survives every failure', { baseUrl: 'https://api.example.com/api/v1' }, async () => {
  await generate('https://api.example.com/api/v1', 'a fox in the snow')
})
