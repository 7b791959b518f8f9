import runpodSdk from 'runpod-sdk'

const endpoint = runpodSdk(process.env.TASKSIM_API_KEY, { baseUrl: process.env.TASKSIM_URL }).endpoint(
  'sdxl-turbo',
)

const job = await endpoint.runSync({ input: { prompt: 'A horse the size of a Boeing 787' } })
const [image] = job.output.images
const { status, headers } = await fetch(image)
process.stdout.write(`${job.status} ${status} ${headers.get('content-type')}\n`)
