import { AssemblyAI } from 'assemblyai'
import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeClient, type Open } from './describe-client.js'

const ASSEMBLYAI = {
  name: 'assemblyai',
  // The client adds /v2 to every path.
  baseUrl: 'https://api.assemblyai.com',
  path: '/assemblyai',
}

const AUDIO = {
  audio: 'https://assembly.ai/sports_injuries.mp3',
  speech_models: ['universal-3-5-pro', 'universal-2'],
  language_detection: true,
}

const DAY = 86_400_000

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const { transcripts } = new AssemblyAI({ baseUrl, apiKey: 'assemblyai-key' })
  return { ...service, baseUrl, transcripts }
}

describeClient(ASSEMBLYAI, (open) => {
  it('transcribes a file: the client polls every three seconds until the text is there', async () => {
    const { sim, transcripts, requests } = await start(open)
    const before = sim.clock.now()
    const transcript = await transcripts.transcribe(AUDIO)
    expect(transcript).toMatchObject({
      status: 'completed',
      audio_url: AUDIO.audio,
      text: expect.any(String),
      words: expect.arrayContaining([
        expect.objectContaining({
          text: expect.any(String),
          start: expect.any(Number),
          end: expect.any(Number),
        }),
      ]),
    })
    expect([requests.length, sim.clock.now() - before]).toEqual([6, 12_000])
  })

  it('uploads a file before it transcribes the file', async () => {
    const { sim, transcripts, requests } = await start(open)
    const bytes = Buffer.alloc(200_000, 7)
    const { audio_url: url, status } = await transcripts.transcribe({ ...AUDIO, audio: bytes })
    expect([status, requests[0]?.operation]).toEqual(['completed', 'files.upload'])
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true)
    await sim.clock.advance('25h')
    expect((await fetch(url)).status).toBe(403)
  })

  it('rejects with the message of the error if the upload fails', async () => {
    const { sim, transcripts } = await start(open, {
      faults: [{ when: { operation: 'files.upload' }, then: [{ status: 500, message: 'Try later.' }] }],
    })
    const submit = () => transcripts.submit({ ...AUDIO, audio: Buffer.from('sound') })
    await expect(submit()).rejects.toThrow('Try later.')
    expect((await sim.tasks.list({ limit: 5 }))?.tasks).toEqual([])
    expect((await submit()).status).toBe('queued')
  })

  it('reports a failure as the status `error` with a message', async () => {
    const error = { code: 'download', message: 'The audio could not be downloaded.' }
    const { transcripts } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const { status, error: message } = await transcripts.transcribe(AUDIO)
    expect([status, message]).toEqual(['error', error.message])
  })

  it('runs into the time limit of the client if the task never ends', async () => {
    const { transcripts } = await start(open, { rules: [{ then: { outcome: 'stuck' } }] })
    await expect(transcripts.transcribe(AUDIO, { pollingTimeout: 30_000 })).rejects.toThrow('Polling timeout')
  })

  it('lists transcripts, with the URLs of the pages with older and newer ones', async () => {
    const { sim, transcripts } = await start(open)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await transcripts.submit(AUDIO)).id)
    await sim.clock.advance('10s')
    const newest = await transcripts.list({ limit: 2 })
    const older = await transcripts.list(newest.page_details.prev_url ?? '')
    expect([newest, older].map((page) => page.transcripts.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ])
    expect(newest.page_details).toMatchObject({ limit: 2, result_count: 2, next_url: null })
    expect(older.page_details).toMatchObject({ result_count: 1, prev_url: null })
    const back = await transcripts.list(older.page_details.next_url ?? '')
    expect(back.transcripts).toEqual(newest.transcripts)
    const failed = await transcripts.list({ status: 'error', created_on: '2026-01-01', limit: 2 })
    expect(failed.transcripts).toEqual([])
    expect(newest.transcripts[0]).toMatchObject({ status: 'completed', audio_url: AUDIO.audio })
    // The service gives times without a zone, which the client reads as local times.
    expect(newest.transcripts[0]?.created).toSatisfy(
      (at: Date) => Math.abs(at.getTime() - sim.clock.now()) < DAY,
    )
  })

  it('makes subtitles', async () => {
    const { transcripts } = await start(open)
    const { id } = await transcripts.transcribe(AUDIO)
    expect(await transcripts.subtitles(id)).toMatch(/^1\r?\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\r?\n/)
    expect(await transcripts.subtitles(id, 'vtt')).toMatch(/^WEBVTT\r?\n/)
  })

  it('gives the sentences and paragraphs of a transcript, and finds words in it', async () => {
    const text = 'A horse ran. A horse slept! Who saw it? Nobody did. A dog did.'
    const { transcripts } = await start(open, { kinds: { transcript: { reply: { text } } } })
    const { id } = await transcripts.submit(AUDIO)
    await expect(transcripts.sentences(id)).rejects.toThrow(/no such output/)
    await transcripts.waitUntilReady(id)
    const { sentences } = await transcripts.sentences(id)
    expect(sentences.map((each) => each.text)).toEqual(
      text.match(/[^.!?]+[.!?]/g)?.map((each) => each.trim()),
    )
    const { paragraphs } = await transcripts.paragraphs(id)
    expect(paragraphs.map(({ words }) => words.length)).toEqual([11, 3])
    const { total_count, matches } = await transcripts.wordSearch(id, ['horse', 'Did', 'cat'])
    expect([total_count, matches.map(({ text, indexes }) => [text, indexes])]).toEqual([
      4,
      [
        ['horse', [1, 4]],
        ['did', [10, 13]],
      ],
    ])
    expect(matches[0]?.timestamps[0]).toEqual([sentences[0]?.words[1]?.start, sentences[0]?.words[1]?.end])
  })

  it('deletes the contents of a transcript', async () => {
    const { transcripts } = await start(open)
    const { id, text } = await transcripts.transcribe(AUDIO)
    const deleted = await transcripts.delete(id)
    expect([deleted.id, deleted.text === text]).toEqual([id, false])
    expect(await transcripts.get(id)).toEqual(deleted)
  })

  it('posts the id and the status to the webhook URL, with the header that the client chose', async () => {
    const { url, received } = await startReceiver()
    const { sim, transcripts } = await start(open)
    const webhook = {
      webhook_url: url,
      webhook_auth_header_name: 'X-Own-Secret',
      webhook_auth_header_value: 'open sesame',
    }
    const { id } = await transcripts.submit({ ...AUDIO, ...webhook })
    await sim.clock.advance('10s')
    expect(received.map(({ json, headers }) => [json, headers['x-own-secret']])).toEqual([
      [{ transcript_id: id, status: 'completed' }, 'open sesame'],
    ])
  })

  it('rejects with the message of the error, and without a retry', async () => {
    const { baseUrl, transcripts, requests } = await start(open, {
      auth: { keys: ['assemblyai-key'] },
      faults: [{ when: { operation: 'tasks.create' }, then: [{ status: 429, message: 'Slow down.' }] }],
    })
    const stranger = new AssemblyAI({ baseUrl, apiKey: 'another-key' })
    await expect(stranger.transcripts.get('x')).rejects.toThrow(/key/i)
    await expect(transcripts.get('x')).rejects.toThrow(/no task/i)
    await expect(transcripts.submit(AUDIO)).rejects.toThrow('Slow down.')
    expect(requests.map(({ status }) => status)).toEqual([401, 404, 429])
  })
})
