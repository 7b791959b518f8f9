import { Expression, javascript, type Written } from '../code/literal.js'
import { ORIGIN, type TestPlan } from './test-plan.js'

/** A whole test file. */
export interface TestFile {
  readonly plan: TestPlan
  readonly title: string
  /** The lines of the test. */
  readonly lines: readonly string[]
  /** Code between the imports and the test. */
  readonly before?: string
  /** The types that the code imports from `tasksim`. */
  readonly types?: readonly string[]
}

/** Writes a Vitest file that passes in a project with tasksim, msw and vitest. */
export function writeFile({ plan, title, lines, before = '', types = [] }: TestFile): string {
  const { scenario, notes } = plan
  const isNamed = scenario.text === undefined
  const isOwn = scenario.name !== 'default'
  const usesSim = lines.some((line) => /\bsim\b/.test(line))
  const code = {
    ...(!isNamed ? { scenario: new Expression('scenario') } : isOwn ? { scenario: scenario.name } : {}),
    ...optionsOf(plan),
  }
  return [
    ...(isNamed ? [] : ["import { parseScenario } from 'tasksim'\n"]),
    ...(types.length === 0 ? [] : [`import type { ${types.join(', ')} } from 'tasksim'\n`]),
    "import { expect, simTest } from 'tasksim/vitest'\n\n",
    ...(isNamed ? [] : [`const scenario = parseScenario(${template(scenario.text ?? '')})\n\n`]),
    ...(plan.answers.length > 0 ? [answersCode(plan.answers)] : []),
    `const test = simTest(${javascript(code)})\n\n`,
    before,
    ...notes.map((note) => comment(note)),
    `test(${javascript(title)}, async (${usesSim ? '{ sim }' : ''}) => {\n`,
    ...lines.map((line) => `${line.replace(/^(?=.)/gm, '  ')}\n`),
    '})\n',
  ].join('')
}

function optionsOf({ seed, dialect, receivers, answers }: TestPlan): Record<string, Written> {
  return {
    seed,
    ...(dialect === 'tasks' ? { baseUrl: `${ORIGIN}/api/v1` } : { dialect }),
    ...(receivers.length > 0 && { receivers: [...receivers] }),
    ...(answers.length > 0 && { transport: new Expression('transport') }),
  }
}

function answersCode(answers: readonly number[]): string {
  const silent = answers.includes(0)
  return [
    comment('How the receivers answer, in order, instead of a network.'),
    `const answers = ${javascript([...answers])}\n`,
    'const transport = async () => {\n',
    '  const status = answers.shift() ?? 204\n',
    ...(silent ? ["  if (status === 0) throw new Error('no answer')\n"] : []),
    '  return { status }\n',
    '}\n\n',
  ].join('')
}

/** A text as a template literal, which shows its lines. */
function template(text: string): string {
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, (each) => `\\${each}`).replaceAll('\r', '\\r')}\``
}

/** A text as a comment of lines with at most 100 characters. */
export function comment(text: string): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length > 100) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.map((line) => `// ${line}\n`).join('')
}
