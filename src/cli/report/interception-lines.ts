import type { Traffic } from '../intercept/interception.js'
import type { ReportLine } from './report.js'

/** What an interceptor did. */
export interface Intercepted {
  readonly traffic: Traffic
  /** The names of the variables that the command got. */
  readonly variables: readonly string[]
}

const MOST_SHOWN = 10

/**
 * The lines of a report about intercepted requests.
 * @param byBaseUrl the number of requests that reached the server at its own address
 */
export function interceptionLines({ traffic, variables }: Intercepted, byBaseUrl: number): ReportLine[] {
  const { requests, passed, connections } = traffic
  const called = counted(requests)
  return [
    {
      id: 'intercepted',
      mark: 'note',
      title: 'Requests for the hosts of services were intercepted',
      seen: [
        ...(called.length > 0 ? called : ['No request for the host of a service.']),
        ...(byBaseUrl === 0 ? [] : [`${byBaseUrl} more by the base URL of tasksim.`]),
        ...counted(passed).map((text) => `Passed to the real host: ${text}`),
        `Variables: ${variables.join(', ')}.`,
      ],
      why: '',
      remedy: '',
      details: { requests: Object.fromEntries(requests), by_base_url: byBaseUrl, connections },
    },
    ...problemLines(traffic),
  ]
}

/** The lines of what did not get the answer of an operation. */
export function problemLines({ unknownPaths, refused, failed }: Traffic): ReportLine[] {
  return [
    ...(unknownPaths.size === 0 ? [] : [unknownPathLine(unknownPaths)]),
    ...(refused.size === 0 ? [] : [refusedLine(refused)]),
    ...(failed.size === 0 ? [] : [failedLine(failed)]),
  ]
}

function unknownPathLine(paths: ReadonlyMap<string, number>): ReportLine {
  return {
    id: 'not-imitated',
    mark: 'note',
    title: 'tasksim does not imitate some paths that the command called',
    seen: counted(paths),
    why: "They got a 404 in the service's format. The real service may have them.",
    remedy:
      'See what tasksim imitates in /_sim/docs. Describe further operations in a dialect file, or answer them with --handlers.',
    details: { paths: Object.fromEntries(paths) },
  }
}

function refusedLine(refused: ReadonlyMap<string, number>): ReportLine {
  const [first = ''] = refused.keys()
  return {
    id: 'refused-hosts',
    mark: 'note',
    title: 'Connections to hosts of no simulated service were refused',
    seen: counted(refused),
    why: 'Nothing leaves this machine unless you allow it.',
    remedy: `If the command needs a host, pass --intercept-allow ${first.replace(/:\d+$/, '')}.`,
    details: { hosts: Object.fromEntries(refused) },
  }
}

function failedLine(failed: ReadonlyMap<string, number>): ReportLine {
  return {
    id: 'failed-connections',
    mark: 'warning',
    title: 'Connections to hosts of services failed before a request',
    seen: counted(failed),
    why: 'These requests did not reach tasksim.',
    remedy:
      'The client uses neither the variables nor the certificate. Give it the base URL of tasksim instead: see docs/other-languages.md.',
    details: { connections: Object.fromEntries(failed) },
  }
}

/** The names and their counts, the most frequent first. */
function counted(counts: ReadonlyMap<string, number>): string[] {
  const lines = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} x${count}`)
  return lines.length > MOST_SHOWN
    ? [...lines.slice(0, MOST_SHOWN), `... and ${lines.length - MOST_SHOWN} more.`]
    : lines
}
