import { AssemblyAI } from 'assemblyai'

const client = new AssemblyAI({
  baseUrl: process.env.TASKSIM_URL,
  apiKey: process.env.TASKSIM_API_KEY,
})

const transcript = await client.transcripts.transcribe({ audio: 'https://assembly.ai/sports_injuries.mp3' })
if (transcript.status === 'error') throw new Error(transcript.error)
process.stdout.write(`${transcript.status} ${transcript.text}\n`)
