/** The options that choose runs, or say where results go: those that repeat a run have others. */
const WITH_VALUE = [
  'only',
  'places',
  'deviations',
  'skip',
  'depth',
  'max-runs',
  'budget',
  'jobs',
  'report',
  'format',
  'write',
  'accepted',
  'fail-on',
]
const FLAGS = ['accept', 'list', 'ui', 'verbose']

/**
 * The arguments with which to repeat a run alone: those that decide how it goes.
 * @param given the arguments of the command, with everything after two dashes
 */
export function ownArguments(given: readonly string[]): readonly string[] {
  const end = given.indexOf('--')
  const own = end === -1 ? given : given.slice(0, end)
  return without(own, WITH_VALUE, FLAGS)
}

function without(
  own: readonly string[],
  withValue: readonly string[],
  flags: readonly string[] = [],
): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index < own.length; index++) {
    const argument = own[index] as string
    const [, given = '', value] = /^--([\w-]+)(=.*)?$/s.exec(argument) ?? []
    const name = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (withValue.includes(name)) index += value === undefined ? 1 : 0
    else if (!flags.includes(name)) kept.push(argument)
  }
  return kept
}

/** The options that `tasksim exec` does not have. */
const ONLY_EXPLORE = ['before', 'patience', 'crash-pattern', 'speed']

/**
 * The arguments with which `tasksim exec` runs the command in another scenario, under the same circumstances.
 * @param own the arguments that decide how a run of an exploration goes
 * @param speed the speed of the exploration, whose default is another one
 */
export function execArguments(
  own: readonly string[],
  { scenario, file, speed }: { readonly scenario: string; readonly file: string; readonly speed: number },
): readonly string[] {
  const kept = without(own, ONLY_EXPLORE)
  const position = kept.indexOf(scenario)
  return ['exec', file, ...kept.filter((_, index) => index !== position), '--speed', String(speed)]
}

/** An argument in the syntax of a POSIX shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
