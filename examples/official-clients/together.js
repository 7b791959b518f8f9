import Together from 'together-ai'

// Reads TOGETHER_BASE_URL and TOGETHER_API_KEY.
const client = new Together()

let video = await client.videos.create({ model: 'minimax/video-01-director', prompt: 'Waves at dawn' })
while (video.status === 'in_progress') {
  await new Promise((resolve) => setTimeout(resolve, 5000))
  video = await client.videos.retrieve(video.id)
}
if (video.status === 'failed') throw new Error(video.error.message)
const { status, headers } = await fetch(video.outputs.video_url)
process.stdout.write(`${status} ${headers.get('content-type')}\n`)
