import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { type Check, expectEqual } from '../../support/check.js'
import type { Server } from './server.js'
import { editorText, eventually, fillEditor, type Scene, visit } from './stage.js'

const TRICKY = `it's a "mill" \`$(id)\` $HOME \\ \${x} é`

interface Listed {
  readonly data: readonly {
    readonly id: string
    readonly model: string
    readonly dialect: string
    readonly input: { readonly prompt?: string }
    readonly plan: { readonly outcome: string }
  }[]
}

/** Checks the composer. */
export function composeChecks(scene: Scene): Check[] {
  return [
    { title: 'a task can be created without the documentation', run: scene(createFirst) },
    { title: 'the composer keeps choices that the server has not seen yet', run: scene(chooseFast) },
    { title: 'the composer writes code that creates the same task', run: scene(runCode) },
    {
      title: 'the curl and Python code of the composer creates a task of every dialect',
      longest: 180_000,
      run: scene(runAll),
    },
    { title: 'the composer keeps its form and its JSON in sync, and names mistakes', run: scene(editInput) },
    { title: 'the composer says why a request was refused', run: scene(refuse) },
    {
      title: 'the composer sends what is in the form, or nothing, and the way back leads to it',
      run: scene(sendAtOnce),
    },
    { title: 'the composer opens the task of a request whose answer is held', run: scene(openHeld) },
    { title: 'a task can be edited and run again', run: scene(runAgain) },
    { title: 'the composer uses the key of a sandbox, and asks for a secret one', run: scene(useKeys) },
    { title: 'the composer works with the keyboard, and its address can be shared', run: scene(useKeyboard) },
  ]
}

const newest = async (server: Server) => (await server.get<Listed>('/_sim/tasks')).data[0]
const codeOf = (page: Page) => page.locator('.compose-code pre').innerText()

async function createFirst(page: Page, server: Server): Promise<void> {
  await page.getByRole('link', { name: 'New task' }).click()
  await page.getByLabel('Dialect').selectOption('luma')
  await page.getByLabel('Kind').selectOption('image')
  await page.getByLabel('prompt').fill('a mill at dusk')
  await page.getByLabel('Outcome').selectOption('failed')
  await page.getByLabel('Error code').fill('content_policy')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('heading', { name: 'a mill at dusk' }).waitFor()
  const task = await newest(server)
  expectEqual('the dialect', task?.dialect, 'luma')
  expectEqual('the planned outcome', task?.plan.outcome, 'failed')
  expectEqual('the shown task', (await page.evaluate('location.hash')) as string, `#/tasks/${task?.id}`)
}

async function chooseFast(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New task' }).click()
  const dialect = page.getByLabel('Dialect')
  await dialect.waitFor()
  let answer = () => {}
  const isChosen = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/_sim/requests', (route) => isChosen.then(() => route.continue()))
  await dialect.selectOption('luma')
  await page.getByLabel('Kind').selectOption('image')
  answer()
  await page.locator('.compose-code').getByText('/luma/dream-machine/v1/generations/image').first().waitFor()
  expectEqual('the dialect', await dialect.inputValue(), 'luma')
}

const isThere = (command: string) => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function runCode(page: Page, server: Server): Promise<void> {
  await visit(page, server, 'new?dialect=replicate')
  await page.getByLabel('prompt').fill(TRICKY)
  await eventually(
    'the prompt in the code',
    () => codeOf(page),
    (code: string) => code.includes('mill'),
  )
  await page.getByRole('radio', { exact: true, name: 'replicate' }).click()
  expectEqual('the client', (await codeOf(page)).startsWith("import Replicate from 'replicate'"), true)
  const runs = [
    ['curl', 'sh', '-c', 'curl'],
    ['Python', 'python3', '-c', 'python3'],
    ['TypeScript', process.execPath, '--input-type=module', '-e'],
  ] as const
  for (const [tab, program, ...options] of runs) {
    await page.getByRole('radio', { exact: true, name: tab }).click()
    const [option, last] = options
    if (last !== '-e' && !isThere(last)) continue
    const code = await codeOf(page)
    await run(program, [option, ...(last === '-e' ? ['-e'] : []), code])
    const task = await newest(server)
    expectEqual(`the prompt of the task that ${tab} has created`, task?.input.prompt, TRICKY)
    await server.post('/_sim/reset')
  }
}

interface Written {
  readonly request: { readonly code: readonly { readonly language: string; readonly text: string }[] }
}

const run = promisify(execFile)

async function runAll(_: Page, server: Server): Promise<void> {
  const { data: dialects } = await server.get<{ data: { name: string }[] }>('/_sim/dialects')
  const programs = (
    [
      ['curl', 'sh'],
      ['python', 'python3'],
    ] as const
  ).filter(([, program]) => isThere(program === 'sh' ? 'curl' : program))
  for (const { name: dialect } of dialects) {
    const { request } = await server.post<Written>('/_sim/requests', { dialect, prompt: TRICKY })
    const codeIn = (language: string) => request.code.find((each) => each.language === language)?.text ?? ''
    // Together, because a process takes long to start.
    await Promise.all(programs.map(([language, program]) => run(program, ['-c', codeIn(language)])))
    const { data } = await server.get<Listed>('/_sim/tasks')
    expectEqual(
      'the tasks that each program has created',
      data.map((task) => task.dialect),
      programs.map(() => dialect),
    )
    for (const { input } of data) expectEqual('the prompt that it has sent', input.prompt ?? TRICKY, TRICKY)
    await server.post('/_sim/reset')
  }
}

async function editInput(page: Page, server: Server): Promise<void> {
  await visit(page, server, 'new?kind=video')
  await page.getByLabel('duration').fill('99')
  await page.getByText('Must be a number of seconds from 0.5 to 60; got 99.').waitFor()
  await page.getByRole('radio', { name: 'JSON' }).click()
  const json = page.getByLabel('Input as JSON')
  expectEqual('the JSON', JSON.parse(await editorText(json)).duration, 99)
  await fillEditor(json, '{"prompt": "a mill", ')
  await json.press('Control+End')
  await page.keyboard.type('"gen')
  await page.getByRole('option', { name: 'generate_audio' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'true' }).click()
  expectEqual('the completed JSON', await editorText(json), '{"prompt": "a mill", "generate_audio": true')
  await json.fill('{"prompt": "a mill", "duration": 8, "style": "oil"')
  await page.getByText('This is not valid JSON').waitFor()
  expectEqual(
    'whether it can be sent',
    await page.getByRole('button', { name: 'Run', exact: true }).getAttribute('aria-disabled'),
    'true',
  )
  await json.pressSequentially('}')
  await page.getByRole('radio', { name: 'JSON' }).press('ArrowLeft')
  await page.locator('[type=radio]:focus:checked').waitFor()
  expectEqual('the duration', await page.getByLabel('duration').inputValue(), '8')
  await page.getByText('Only in the JSON: style').waitFor()
  await page.getByLabel('Dialect').selectOption('google')
  await page.getByLabel('duration').fill('4')
  await page.getByText('so not sent: duration').waitFor()
}

async function refuse(page: Page, server: Server): Promise<void> {
  await visit(page, server, 'new')
  await page.getByLabel('Processing time').fill('soon')
  await page.getByText('Expected `after` to be').waitFor()
  await page.getByLabel('Processing time').fill('')
  await page.getByLabel('Request fault').selectOption('503')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('The directive in the request answers 503.').waitFor()
  await page.getByRole('link', { name: 'Show the request' }).click()
  await page.locator('.request-title').waitFor()
}

async function sendAtOnce(page: Page, server: Server): Promise<void> {
  await visit(page, server, 'new')
  const prompt = page.getByLabel('prompt')
  await prompt.fill('')
  await prompt.pressSequentially('a mill at dusk')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'a mill at dusk' }).waitFor()
  await page.goBack()
  await prompt.waitFor()
  expectEqual('the prompt', await prompt.inputValue(), 'a mill at dusk')
  await page.getByRole('radio', { name: 'JSON' }).click()
  await fillEditor(page.getByLabel('Input as JSON'), '{"prompt": "not closed"')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('This is not valid JSON').waitFor()
  expectEqual('the number of tasks', (await server.get<Listed>('/_sim/tasks')).data.length, 1)
}

async function openHeld(page: Page, server: Server): Promise<void> {
  // On a manual clock, the service holds no answer.
  await server.post('/_sim/clock', { mode: 'real' })
  await visit(page, server, 'new?dialect=openai&prompt=a+mill&after=5m')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('The service holds its answer').waitFor()
  await page.getByRole('link', { name: 'Open the new task' }).click()
  await page.getByRole('heading', { name: 'a mill' }).waitFor()
  await server.advance('10m')
  expectEqual('the shown task', await page.evaluate('location.hash'), `#/tasks/${(await newest(server))?.id}`)
}

async function runAgain(page: Page, server: Server): Promise<void> {
  const id = await server.create('acme/image-7', { prompt: 'a mill', n: 2 })
  await visit(page, server, `tasks/${id}`)
  await page.getByRole('link', { name: 'Edit and run' }).click()
  await page.getByLabel('prompt').fill('another mill')
  expectEqual('the number of images', await page.getByLabel('n', { exact: true }).inputValue(), '2')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('heading', { name: 'another mill' }).waitFor()
  const task = await newest(server)
  expectEqual('the task', [task?.model, task?.input], ['acme/image-7', { prompt: 'another mill', n: 2 }])
}

async function useKeys(page: Page, server: Server): Promise<void> {
  const { id, api_key: key } = await server.post<{ id: string; api_key: string }>('/_sim/sandboxes', {
    scenario: { auth: { keys: ['sk_live_of_a_user'] } },
  })
  await visit(page, server, `new?sandbox=${id}`)
  await eventually(
    'the key of the sandbox',
    () => codeOf(page),
    (code: string) => code.includes(key),
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.task').waitFor()
  const scenario = { scenario: { auth: { keys: ['sk_live_of_a_user'] } } }
  await server.put('/_sim/scenario', scenario)
  await visit(page, server, 'new')
  await page.getByLabel('API key').fill('sk_live_of_a_user')
  expectEqual('whether the code shows the key', (await codeOf(page)).includes('sk_live_of_a_user'), false)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.task').waitFor()
}

async function useKeyboard(page: Page, server: Server): Promise<void> {
  const { keyboard } = page
  await keyboard.press('c')
  await page.getByLabel('prompt').focus()
  await keyboard.press('Control+a')
  await keyboard.type('a mill, by key')
  await page.getByRole('radio', { exact: true, name: 'TypeScript' }).press('Space')
  await eventually(
    'TypeScript with the prompt',
    () => codeOf(page),
    (code: string) => code.includes('await fetch(') && code.includes('by key'),
  )
  await eventually(
    'the prompt in the address',
    () => page.evaluate('location.hash'),
    (hash: string) => hash.includes('by+key'),
  )
  await page.reload()
  await eventually(
    'the prompt after a reload',
    () => page.getByLabel('prompt').inputValue(),
    (prompt: string) => prompt === 'a mill, by key',
  )
  await keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'a mill, by key' }).waitFor()
  expectEqual('the prompt', (await newest(server))?.input.prompt, 'a mill, by key')
}
