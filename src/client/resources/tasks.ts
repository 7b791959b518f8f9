import type {
  CodeQuery,
  Page,
  ServiceAnswerShape,
  ServiceRequestShape,
  TaskBriefShape,
  TaskEnding,
  TaskQuery,
  TaskShape,
} from '../../control/shapes.js'
import { type Call, search, segment } from '../call.js'

/** The tasks of all API keys. */
export type TasksControl = ReturnType<typeof tasksControl>

/** Creates the functions for the tasks. */
export function tasksControl(call: Call) {
  const act = async (id: string, action: string, body: object = {}) =>
    call<TaskShape>('POST', `/tasks/${segment(id)}/${action}`, body)
  return {
    /** Lists tasks with their plans, newest first. */
    list: (query: TaskQuery = {}) => call<Page<TaskShape>>('GET', `/tasks${search(query)}`),
    /** Lists tasks without inputs and outputs. */
    brief: (query: TaskQuery = {}) =>
      call<Page<TaskBriefShape>>('GET', `/tasks${search({ ...query, brief: true })}`),
    /** Reads a task and its plan. */
    get: async (id: string) => call<TaskShape>('GET', `/tasks/${segment(id)}`),
    /** Reads the answer that a poll by the client would get now. It does not count as a poll. */
    answer: async (id: string) => call<ServiceAnswerShape>('GET', `/tasks/${segment(id)}/answer`),
    /** Reads a request that creates an identical task, with its code if wanted. */
    request: async (id: string, query: CodeQuery = {}) =>
      call<ServiceRequestShape>('GET', `/tasks/${segment(id)}/request${search(query)}`),
    /**
     * Writes a Vitest file in which a task gets the result of this one.
     * @throws ControlError 409 if no test can get it
     */
    test: async (id: string) => call<string>('GET', `/tasks/${segment(id)}/test`),
    /** Ends a task now, as planned or with the given ending. */
    finish: (id: string, ending: TaskEnding = {}) => act(id, 'finish', ending),
    /** Holds a task, so that it does not end by itself. */
    hold: (id: string) => act(id, 'hold'),
    /** Releases a held task. */
    release: (id: string) => act(id, 'release'),
  }
}
