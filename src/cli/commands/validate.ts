import { checkExpectations } from '../expectations/check-expectations.js'
import { explain } from '../explain.js'
import { findScenario } from '../find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { colors, flush, print } from '../output.js'

interface ValidateArguments {
  files: string[]
}

/** Checks scenarios, and tries out what they expect of themselves. */
export const validateCommand: LazyCommand<ValidateArguments> = {
  builder: (yargs) =>
    yargs
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Paths, or names of shipped scenarios',
      })
      .example('$0 validate scenarios/*.yaml', 'Show every mistake in every file'),
  async handler({ files }) {
    for (const file of files) {
      if (!(await validate(file))) process.exitCode = 1
    }
    flush()
  },
}

async function validate(file: string): Promise<boolean> {
  try {
    const { scenario } = await findScenario(file)
    const disappointments = await checkExpectations(scenario)
    for (const disappointment of disappointments) print(colors.red(`${file}: ${disappointment}`))
    if (disappointments.length > 0) return false
    const tried =
      scenario.expect.length === 0
        ? ''
        : colors.dim(` (${scenario.expect.length} of ${scenario.expect.length} expectations hold)`)
    print(`${file}: ${colors.green('valid')}${tried}`)
    return true
  } catch (error) {
    print(colors.red(explain(error)))
    return false
  }
}
