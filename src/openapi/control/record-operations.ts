import { ENTRY_TYPES } from '../../inspect/journal/entry.js'
import type { Descriptions } from '../description.js'
import { count, pageOf, ref, word } from '../schema.js'
import { asked, BAD_BODY, PAGE } from './parameters.js'

/** What tells what happened. */
export const RECORD_OPERATIONS: Descriptions = {
  'sim.journal.read': {
    path: '/_sim/journal',
    tag: 'Record',
    summary: 'Read what happened',
    description: 'Newest first. All that the query names must hold.',
    query: {
      type: asked('Only lines of this type', word('A type', ENTRY_TYPES)),
      task: asked('Only what is about this task'),
      key: asked('Only requests with this API key, as it is or masked'),
      operation: asked('Only requests for this operation, such as `tasks.create`'),
      status: asked('Only requests that were answered with this status', { type: 'integer' }),
      since: asked('Only from this instant on', { type: 'string', format: 'date-time' }),
      until: asked('Only up to this instant', { type: 'string', format: 'date-time' }),
      ...PAGE,
    },
    answers: { 200: { description: 'The page', schema: pageOf(ref('Entry')) } },
    errors: ['invalid_request'],
  },
  'sim.journal.stream': {
    path: '/_sim/stream',
    tag: 'Record',
    summary: 'Follow what happens, live',
    description:
      'Server-sent events: the id of an event is the number of its line, its name the type, its data the line.',
    query: {
      after: asked('The number of the last line that is known; from now on unless given', count('A number')),
    },
    headers: {
      'Last-Event-ID': asked('The same, as a browser sends it when it comes again', count('A number')),
    },
    answers: {
      200: {
        description: 'Events without end',
        type: 'text/event-stream',
        schema: { type: 'string', description: 'Each `data` is an Entry, as JSON' },
      },
    },
    errors: ['invalid_request'],
  },
  'sim.findings.read': {
    path: '/_sim/findings',
    tag: 'Record',
    summary: 'Read what the client under test did wrong',
    query: {
      final: asked('`true`: as if it would send nothing more', word('Whether', ['true', 'false'])),
    },
    answers: { 200: { description: 'The verdict', schema: ref('Verdict') } },
    errors: ['invalid_request'],
  },
  'sim.observations.add': {
    path: '/_sim/observations',
    tag: 'Record',
    summary: 'Tell what cannot be seen from outside the client',
    body: {
      schema: ref('Observation'),
      examples: {
        'a webhook was processed': { what: 'webhook.processed', task_id: 'task_82wsE0eJdLYSLPR9BIkYOFzx' },
      },
    },
    answers: { 204: { description: 'It is taken down' } },
    errors: BAD_BODY,
  },
  'sim.metrics': {
    path: '/_sim/metrics',
    tag: 'Record',
    summary: 'Read counts, for Prometheus',
    answers: {
      200: {
        description: 'The counts',
        type: 'text/plain',
        schema: { type: 'string' },
        example:
          '# HELP tasksim_tasks Tasks by state\n# TYPE tasksim_tasks gauge\ntasksim_tasks{status="succeeded"} 4\n',
      },
    },
  },
}

/** What describes all of this. */
export const DOCUMENT_OPERATIONS: Descriptions = {
  'sim.openapi.control': {
    path: '/_sim/openapi.json',
    tag: 'Documents',
    summary: 'Read this document',
    answers: { 200: { description: 'OpenAPI 3.1', schema: { type: 'object' } } },
  },
  'sim.openapi.service': {
    path: '/_sim/service.openapi.json',
    tag: 'Documents',
    summary: "Read the service's document",
    answers: { 200: { description: 'OpenAPI 3.1', schema: { type: 'object' } } },
  },
  'sim.docs': {
    path: '/_sim/docs',
    tag: 'Documents',
    summary: 'Read both documents as a page',
    answers: {
      200: { description: 'A page without scripts', type: 'text/html', schema: { type: 'string' } },
    },
  },
}
