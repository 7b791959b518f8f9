import { looksLikeDialect } from '../../dialects/language/parse-dialect.js'
import { counted } from '../../engine/counted.js'
import { parseScenario } from '../../scenario/read-text.js'
import type { Scenario } from '../../scenario/scenario.js'
import { shippedText } from '../../scenario/shipped.js'
import { defineCommand } from '../command.js'
import { readDialectFile } from '../dialects/dialect-file.js'
import { errorText } from '../errors.js'
import { checkExpectations } from '../expectations/check-expectations.js'
import { findScenario, isFilePath } from '../files/find-scenario.js'
import { isRecordingFile } from '../files/read-recording-file.js'
import { readScenarioText } from '../files/read-scenario-file.js'
import { colors, flush, print } from '../output.js'

/** Checks scenarios and runs their expectations. Checks dialects. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Paths of scenario files, dialect files or recordings, or names of shipped scenarios',
      })
      .example('$0 validate scenarios/*.yaml', 'Show every mistake in every file'),
  async handler({ files }) {
    for (const file of files) {
      if (!(await validate(file))) process.exitCode = 1
    }
    flush()
  },
})

/** Parses the text of a shipped scenario, because the compiled scenario has no expectations. */
async function read(file: string): Promise<Scenario> {
  const text = isFilePath(file) ? undefined : await shippedText(file)
  return text === undefined ? (await findScenario(file)).scenario : parseScenario(text, file)
}

function validateDialect(file: string): boolean {
  const { name, operations } = readDialectFile(file)
  print(
    `${file}: ${colors.green('valid')}${colors.dim(` (dialect ${name}, ${operations.length} operations)`)}`,
  )
  return true
}

async function validate(file: string): Promise<boolean> {
  try {
    if (isFilePath(file) && !isRecordingFile(file) && looksLikeDialect(readScenarioText(file)))
      return validateDialect(file)
    const scenario = await read(file)
    const failures = await checkExpectations(scenario)
    for (const failure of failures) print(colors.red(`${file}: ${failure}`))
    if (failures.length > 0) return false
    const { length } = scenario.expect
    const met = length === 0 ? '' : ` (${counted(length, 'expectation')} met)`
    const note = scenario.recorded === undefined ? met : ` (${scenario.description})`
    print(`${file}: ${colors.green('valid')}${colors.dim(note)}`)
    return true
  } catch (error) {
    print(colors.red(errorText(error)))
    return false
  }
}
