import RunwayML from '@runwayml/sdk'

// Reads RUNWAYML_BASE_URL and RUNWAYML_API_SECRET.
const client = new RunwayML()

const task = await client.imageToVideo
  .create({
    model: 'gen4_turbo',
    promptImage: 'https://example.com/bunny.jpg',
    promptText: 'The bunny is eating a carrot',
    ratio: '1280:720',
    duration: 5,
  })
  .waitForTaskOutput()
const { status, headers } = await fetch(task.output[0])
process.stdout.write(`${status} ${headers.get('content-type')}\n`)
