import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'

// The client reads ELEVENLABS_API_KEY, but no base URL.
const client = new ElevenLabsClient({ baseUrl: process.env.TASKSIM_URL })

const speech = await client.textToSpeech.convert('JBFqnCBsd6RMkjVDRZzb', { text: 'Waves at dawn.' })
process.stdout.write(`${(await buffer(speech)).length} bytes of speech\n`)

const { dubbingId } = await client.dubbing.create({
  sourceUrl: 'https://example.com/talk.mp4',
  targetLang: 'es',
})
let dub = await client.dubbing.get(dubbingId)
while (dub.status !== 'dubbed') {
  if (dub.status === 'failed') throw new Error(dub.error)
  await sleep(2_000)
  dub = await client.dubbing.get(dubbingId)
}
const audio = await client.dubbing.audio.get(dubbingId, 'es')
process.stdout.write(`${(await buffer(audio)).length} bytes of the dub\n`)
