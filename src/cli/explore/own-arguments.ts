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
  const kept: string[] = []
  for (let index = 0; index < own.length; index++) {
    const argument = own[index] as string
    const [, given = '', value] = /^--([\w-]+)(=.*)?$/s.exec(argument) ?? []
    const name = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (WITH_VALUE.includes(name)) index += value === undefined ? 1 : 0
    else if (!FLAGS.includes(name)) kept.push(argument)
  }
  return kept
}

/** An argument in the syntax of a POSIX shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
