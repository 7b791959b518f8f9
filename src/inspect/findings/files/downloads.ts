import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'

/** The requests for output files. */
export function downloadsIn({ requests }: Case): readonly AnsweredRequest[] {
  return requests.filter(({ operation }) => operation === 'files.download')
}
