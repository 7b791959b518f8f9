import type { Argv } from 'yargs'
import { connect } from '../../client/connect.js'
import type { VerdictShape } from '../../control/shapes.js'
import type { Verdict } from '../../inspect/findings/verdict.js'
import { type ArgumentsOf, defineCommand } from '../command.js'
import { checkUrl, controlTokenOption } from '../options/options.js'
import { clockNote, findingLines, linesWithoutFinding, neverAppliedLine } from '../report/finding-lines.js'
import { failuresOf } from '../report/report.js'
import { reportOptions, writeReport } from '../report/write-report.js'

/** Reports the mistakes of the clients of a running server. */
export const command = defineCommand({
  builder: options,
  handler: reportFindings,
})

function options(yargs: Argv) {
  return yargs
    .usage(
      '$0 findings [options]\n\nReports the mistakes that the clients of a running server have made. The exit status is 1 if a finding has the severity of --fail-on or a higher one.',
    )
    .option('server', {
      type: 'string',
      requiresArg: true,
      default: 'http://127.0.0.1:4010',
      describe: 'URL of the running server',
    })
    .option('control-token', controlTokenOption())
    .option('final', {
      type: 'boolean',
      default: true,
      describe: 'Evaluate as if the clients had sent their last request; --no-final: they continue',
    })
    .options(reportOptions())
    .example('$0 findings --fail-on never', 'Show the findings of the local server')
    .example(
      '$0 findings --format markdown >> "$GITHUB_STEP_SUMMARY"',
      'Write the findings to the job summary of GitHub Actions',
    )
    .check(({ server }) => {
      checkUrl('server', server)
      return true
    })
}

async function reportFindings(args: ArgumentsOf<typeof options>): Promise<void> {
  const { server, final, 'control-token': token, 'fail-on': failOn } = args
  const control = connect(server, token === undefined ? {} : { token })
  const verdict = verdictOf(await control.verdict({ final }))
  const found = findingLines(verdict.findings, failOn)
  const rules = neverAppliedLine(verdict.applied)
  const failures = failuresOf(found, failOn)
  await writeReport(
    {
      name: 'tasksim findings',
      subject: new URL(server).origin,
      note: found.length > 0 ? clockNote(Date.parse((await control.clock.read()).now)) : undefined,
      lines: [...found, ...(rules === undefined ? [] : [rules]), ...linesWithoutFinding(verdict)],
      failures,
    },
    args,
    process.stdout,
  )
  if (failures.length > 0) process.exitCode = 1
}

/** Converts the answer of the control API, so that every command writes the same JSON. */
function verdictOf({ findings, checked, applied }: VerdictShape): Verdict {
  return {
    checked: checked as Verdict['checked'],
    applied: applied.map(({ inherited, shipped, ...rule }) => ({
      ...rule,
      isInherited: inherited,
      isShipped: shipped,
    })),
    findings: findings.map(({ evidence, last_at: lastAt, ...finding }) => ({
      ...finding,
      lastAt: Date.parse(lastAt),
      evidence: evidence.map(({ at, task_id, request_ids = [], delivery_ids = [], ...rest }) => ({
        ...rest,
        ...{ taskId: task_id, requestIds: request_ids, deliveryIds: delivery_ids },
        at: Date.parse(at),
      })),
    })),
  }
}
