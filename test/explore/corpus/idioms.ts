import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { collect, create, type Service, wait } from './flow.js'
import { type Answer, Failure, type Http } from './http.js'

const DEADLINE = 10 * 60_000

/** Yields what the service says about a task, until the deadline. @throws Failure */
async function* answersAbout(service: Service, http: Http, id: string): AsyncGenerator<Answer['json']> {
  const end = Date.now() + DEADLINE
  while (Date.now() < end || http.mistakes.has('no deadline')) {
    yield await http.insist(service.task(id))
    await sleep(service.interval)
  }
}

/** Reads the states of a task from an iterator. @throws Failure */
export async function iterate(service: Service, http: Http): Promise<void> {
  const { mistakes } = http
  const id = await create(service, http)
  let last: Answer['json']
  try {
    for await (const answer of answersAbout(service, http, id)) {
      last = answer
      if (!['running', 'unknown'].includes(service.stateOf(answer))) break
    }
  } catch (error) {
    if (mistakes.has('an error ends the loop')) return
    throw error
  }
  if (mistakes.has('the last answer is the end')) return
  if (service.stateOf(last) !== 'done') throw new Failure('The task has not succeeded.')
  await collect(service, http, id, last)
}

/** Hands the end of a job to the listeners of an event emitter. @throws Failure */
export async function emit(service: Service, http: Http): Promise<void> {
  const { mistakes } = http
  const jobs = new EventEmitter()
  const work = async () => {
    const id = await create(service, http)
    await collect(service, http, id, await wait(service, http, id))
  }
  const onFailure = (error: unknown) => {
    if (mistakes.has('emits no failure')) return
    // Without a listener, the event `error` throws.
    jobs.emit(mistakes.has('nobody listens to errors') ? 'error' : 'failed', error)
  }
  const ended = new Promise((resolve, reject) => {
    jobs.once('done', resolve)
    jobs.once('failed', reject)
  })
  void work().then(() => jobs.emit('done'), onFailure)
  await ended
}
