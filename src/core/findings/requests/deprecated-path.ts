import type { AnsweredRequest } from '../../events.js'
import { judge, seenIn, times } from '../evidence.js'
import type { FindingRule } from '../finding.js'

const OLD_FORM = /^\/v1\/|\/task(?:\/|$)/

/** Requests use a form of the path that is there for old clients only. */
export const deprecatedPath: FindingRule = {
  id: 'deprecated-path',
  severity: 'note',
  title: 'An old form of the path is used',
  why: 'The base address ends with /api/v1 and the resource is called /tasks; the other forms are aliases that may go.',
  remedy: 'Use /api/v1/tasks.',
  look: ({ requests }) => {
    const onTasks = requests.filter(({ operation }) => operation?.startsWith('tasks.'))
    if (onTasks.length === 0) return undefined
    const forms = new Map<string, [AnsweredRequest, ...AnsweredRequest[]]>()
    for (const request of onTasks) {
      const [form] = /^(?:\/api)?\/v1\/tasks?/.exec(request.path) ?? []
      if (form === undefined || !OLD_FORM.test(request.path)) continue
      const group = forms.get(form)
      if (group === undefined) forms.set(form, [request])
      else group.push(request)
    }
    return judge(forms, ([form, group]) => seenIn(group, `${form} was used ${times(group.length)}.`)) ?? []
  },
}
