import type { Case } from '../case.js'
import { judge } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { learned, type Story } from '../story.js'

/** The client knows that a task has succeeded, and does not fetch what it has made. */
export const outputNeverDownloaded: FindingRule = {
  id: 'output-never-downloaded',
  severity: 'warning',
  title: 'An output is never downloaded',
  why: 'Its URL expires after a day, and after 30 days the file itself is gone: what was paid for is lost.',
  remedy: 'Download the files of a task as soon as it has succeeded.',
  look: (record) =>
    judge(fruitful(record), ({ id, task, downloads, at }) =>
      downloads.length === 0 && record.isQuietSince(at)
        ? { at, taskId: id, seen: `None of its files (${task?.result?.files}) was asked for.` }
        : undefined,
    ),
}

/** The tasks with files of which the client knows for sure. */
function* fruitful({ stories }: Case): Iterable<Story & { readonly at: number }> {
  for (const story of stories.values()) {
    if ((story.task?.result?.files ?? 0) === 0) continue
    const known = learned(story)
    if (known?.isSure) yield { ...story, at: known.at }
  }
}
