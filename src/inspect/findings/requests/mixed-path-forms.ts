import type { AnsweredRequest } from '../../../engine/events.js'
import { judge, seenIn, times } from '../evidence.js'
import type { FindingRule } from '../finding.js'

type Requests = [AnsweredRequest, ...AnsweredRequest[]]

/** One client uses several forms of the path. Each form by itself is correct. */
export const mixedPathForms: FindingRule = {
  id: 'mixed-path-forms',
  severity: 'note',
  title: 'One client uses several forms of the path',
  why: 'The service accepts /tasks and /task, with or without /api, but a client with several forms has its base address in several places.',
  remedy: 'Use one form everywhere, such as /api/v1/tasks.',
  look: ({ requests }) =>
    judge(formsByKey(requests), ([, forms]) => {
      if (forms.size === 1) return undefined
      const [first, ...others] = [...forms.values()].map(([request]) => request)
      const counts = [...forms].map(([form, group]) => `${form} ${times(group.length)}`)
      return first && seenIn([first, ...others], `The client used ${counts.join(', ')}.`)
    }),
}

/** The requests on tasks by masked API key, which stands for the client, and then by the form of the path. */
function formsByKey(requests: readonly AnsweredRequest[]): Map<string, Map<string, Requests>> {
  const clients = new Map<string, Map<string, Requests>>()
  for (const request of requests) {
    const { key, operation, path } = request
    const [form] = /^(?:\/api)?\/v1\/tasks?(?=\/|$)/.exec(path) ?? []
    if (key === '' || form === undefined || !operation?.startsWith('tasks.')) continue
    const forms = clients.get(key) ?? new Map<string, Requests>()
    clients.set(key, forms)
    const group = forms.get(form)
    if (group === undefined) forms.set(form, [request])
    else group.push(request)
  }
  return clients
}
