import type { RunResult } from '../../../src/explore/report.js'

/** A mistake of a client, and the results that are right for it. */
export interface PlantedMistake {
  /** The name of the client without the mistake. */
  readonly client: string
  readonly mistake: string
  /** One of them must be among the reported problems. */
  readonly results: readonly RunResult[]
}

const LOST: readonly RunResult[] = ['lost_result', 'wrong_result']

const PLANTED: Readonly<Record<string, Readonly<Record<string, readonly RunResult[]>>>> = {
  'tasks: poll': {
    'no timeout': ['hung'],
    'never gives up': ['hung'],
    'repeats rejected requests': ['hung'],
    'no retry': ['gave_up'],
    'blind retry': ['paid_twice'],
    impatient: ['paid_twice'],
    'no look-up': ['lost_result'],
    'no deadline': ['hung'],
    'gives up early': ['finding'],
    'failed is done': ['wrong_result'],
    'canceled is done': ['wrong_result'],
    'unknown is done': LOST,
    'needs no output': LOST,
    'no answer is the end': LOST,
    'the deadline is the end': LOST,
    'recreates after a failed poll': ['paid_twice'],
    'saves error pages': LOST,
    'saves parts': LOST,
    'one download attempt': ['gave_up'],
    'no timeout of downloads': ['hung'],
    'skips missing files': LOST,
  },
  'tasks: unique orders': {
    'blind retry': ['paid_twice'],
    impatient: ['paid_twice'],
    'no look-up': ['lost_result'],
    'failed is done': ['wrong_result'],
    'needs no output': LOST,
    'saves parts': LOST,
  },
  'tasks: webhook with polls after a silence': {
    'verifies nothing': ['accepted_forgery'],
    'wants a signature of any value': ['accepted_forgery'],
    'accepts webhooks without a signature': ['accepted_forgery'],
    'accepts an empty signature': ['accepted_forgery'],
    'compares the length': ['accepted_forgery'],
    'verifies the id only': ['accepted_forgery'],
    'verifies its own serialization': ['finding'],
    'fails on a duplicate': ['crashed'],
    'fails on a task that it does not know': ['crashed'],
    'failed is done': ['wrong_result'],
  },
  'tasks: webhook only, and one look at its deadline': {
    'waits for the webhook without end': ['hung'],
    'asks nobody': ['gave_up', 'finding'],
    'silence is success': LOST,
  },
  'tasks: batch': {
    'leaves the others alone': ['crashed'],
    'orders all anew': ['paid_twice'],
    'reports no failures': LOST,
    'finds any task': ['lost_result', 'wrong_result', 'paid_twice'],
  },
  'tasks: job store': {
    'resumes with a new task': ['paid_twice'],
    'marks failed jobs as done': LOST,
  },
  'tasks: list': {
    'failed is done': ['wrong_result'],
    'no deadline': ['hung'],
  },
  'tasks: iterator': {
    'no deadline': ['hung'],
    'an error ends the loop': LOST,
    'the last answer is the end': LOST,
  },
  'tasks: emitter': { 'emits no failure': ['hung'], 'nobody listens to errors': ['crashed'] },
  'openai: sdk': { 'retries every request': ['paid_twice'], 'no timeout': ['hung'] },
  'replicate: held answers': { 'blind retry': ['paid_twice'], 'no look-up': ['lost_result'] },
  'replicate: poll': { 'no timeout': ['hung'], 'recreates after a failed poll': ['paid_twice'] },
  'fal: result, and a webhook for lost answers': {
    'blind retry': ['paid_twice'],
    'no look-up': ['lost_result', 'gave_up'],
    'verifies nothing': ['accepted_forgery'],
    'accepts old webhooks': ['accepted_forgery'],
  },
  'fal: poll': { 'blind retry': ['paid_twice'], 'no retry': ['gave_up'], 'needs no output': LOST },
  'luma: downloads': { 'saves parts': LOST, 'one download attempt': ['gave_up'] },
  'assemblyai: transcript': { 'failed is done': ['wrong_result'], 'needs no output': LOST },
  'runway: poll': { 'blind retry': ['paid_twice'], 'canceled is done': ['wrong_result'] },
  'xai: poll': { impatient: ['paid_twice'], 'needs no output': LOST },
  'openai: stream': {
    'restarts the stream': ['paid_twice'],
    'the end of the stream is the end': LOST,
    'no timeout': ['hung'],
  },
}

/** The planted mistakes of the corpus. */
export const MISTAKES: readonly PlantedMistake[] = Object.entries(PLANTED).flatMap(([client, mistakes]) =>
  Object.entries(mistakes).map(([mistake, results]) => ({ client, mistake, results })),
)
