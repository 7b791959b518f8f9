import { shippedText } from '../../scenario/language/layers/shipped-text.js'
import { parseScenario } from '../../scenario/language/read-text.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { errorText } from '../errors.js'
import { checkExpectations } from '../expectations/check-expectations.js'
import { findScenario } from '../find-scenario.js'
import type { LazyCommand } from '../lazy-command.js'
import { colors, flush, print } from '../output.js'
import { looksLikePath } from '../scenario-path.js'

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

/** A shipped scenario is read from its text: those that only run it do not carry along what it expects of itself. */
async function read(file: string): Promise<Scenario> {
  const text = looksLikePath(file) ? undefined : await shippedText(file)
  return text === undefined ? (await findScenario(file)).scenario : parseScenario(text, file)
}

async function validate(file: string): Promise<boolean> {
  try {
    const scenario = await read(file)
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
    print(colors.red(errorText(error)))
    return false
  }
}
