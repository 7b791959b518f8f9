import { FAIL_ON } from './judged.js'
import { FORMATS, type Format } from './render.js'

/** The options that say what becomes of a judgement. */
export function reportOptions() {
  return {
    'fail-on': {
      choices: FAIL_ON,
      default: 'error' as (typeof FAIL_ON)[number],
      describe: 'How bad it must be to end with status 1',
    },
    report: {
      type: 'string',
      requiresArg: true,
      describe: 'File to write the report to: .json, .xml (JUnit), or text; see --format',
    },
    format: { choices: FORMATS as readonly Format[], describe: 'Format of the report' },
  } as const
}
