import { type Check, expectEqual } from '../../support/check.js'
import { eventually, property, row, type Scene, visit } from './stage.js'

const VIDEO = 'acme/video-1'

/** Checks how tasks appear, change their states, and are displayed. */
export function taskChecks(scene: Scene): Check[] {
  return [
    {
      title: 'an empty simulator shows a command to paste',
      run: scene(async (page, server) => {
        await page.getByRole('main').getByText(`curl -s ${server.url}/api/v1/tasks`).first().waitFor()
      }),
    },
    {
      title: 'a task appears as it is made, and succeeds when the clock is advanced on the page',
      run: scene(async (page, server) => {
        await server.create(VIDEO, { prompt: 'a heron at noon', duration: 5 })
        await row(page, 'a heron at noon').click()
        await page.getByText(/^The task will succeed at 00:00:\d\d, in/).waitFor()
        await page.getByRole('button', { name: '+10 s' }).click()
        await page.getByText('The task succeeded, as planned.').waitFor()
        await row(page, 'a heron at noon').getByText('succeeded').waitFor()
        expectEqual('the time', (await page.locator('.clock-time b').innerText()).slice(0, 8), '00:00:10')
      }),
    },
    {
      title: 'a video plays, and viewing it is not a download in the journal',
      run: scene(async (page, server) => {
        const id = await server.create(VIDEO, { prompt: 'waves', duration: 5 })
        await server.advance('10s')
        await visit(page, server, `tasks/${id}`)
        const video = page.locator('video')
        await video.waitFor()
        await video.evaluate((element) => {
          const player = element as unknown as { muted: boolean; play(): Promise<void> }
          player.muted = true
          return player.play()
        })
        await eventually(
          'the time of the video to grow',
          () => property(video, 'currentTime'),
          (time: number) => time > 0.2,
        )
        const { data } = await server.get<{ data: { operation?: string }[] }>('/_sim/journal?limit=100')
        expectEqual(
          'downloads in the journal',
          data.filter(({ operation }) => operation === 'files.download'),
          [],
        )
      }),
    },
    {
      title: 'a sound is there to be played, a picture to be seen, and a reply to be read',
      run: scene(async (page, server) => {
        const sound = await server.create('acme/speech-1', { prompt: 'good morning' })
        const picture = await server.create('acme/image-1', { prompt: 'a lamp', n: 2 })
        const reply = await server.create('acme/composer-2.5', {
          messages: [{ role: 'user', content: 'Say something.' }],
        })
        await server.advance('1m')
        await visit(page, server, `tasks/${sound}`)
        await eventually(
          'the sound to have a length',
          () => property(page.locator('audio'), 'duration'),
          (length: number) => length > 0,
        )
        await visit(page, server, `tasks/${picture}`)
        await page.locator('.file img').nth(1).waitFor()
        await eventually(
          'the picture to have a width',
          () => property(page.locator('.file img').nth(1), 'naturalWidth'),
          (width: number) => width > 0,
        )
        await visit(page, server, `tasks/${reply}`)
        await page.locator('.reply p').first().waitFor()
        const { output } = await server.get<{ output: { message: { content: string } } }>(
          `/_sim/tasks/${reply}`,
        )
        const shown = await page.locator('.reply p').first().innerText()
        expectEqual(
          'whether the reply begins as it was given',
          output.message.content.startsWith(shown.slice(0, 40)),
          true,
        )
      }),
    },
    {
      title: 'a task is held, released, and failed with the error that was chosen',
      run: scene(async (page, server) => {
        const id = await server.create(VIDEO, { prompt: 'doomed', duration: 5 })
        await visit(page, server, `tasks/${id}`)
        await page.getByRole('button', { name: 'Hold' }).click()
        await page.getByText(/^The task is held/).waitFor()
        await server.advance('1h')
        await page.getByRole('button', { name: 'Release' }).waitFor()
        await page.getByLabel('Error code').selectOption('content_policy')
        await page.getByRole('button', { name: 'Fail', exact: true }).click()
        await page.locator('.task-error').getByText('content_policy').waitFor()
        const { status, error } = await server.get<{ status: string; error: { code: string } }>(
          `/_sim/tasks/${id}`,
        )
        expectEqual('the task', [status, error.code], ['failed', 'content_policy'])
      }),
    },
    {
      title: 'a task of another service can be copied as curl',
      run: scene(
        async (page, server) => {
          const path = '/luma/dream-machine/v1/generations/video'
          const { id } = await server.post<{ id: string }>(path, { prompt: "a kite's tail", model: 'ray-2' })
          await visit(page, server, `tasks/${id}`)
          await page.getByRole('button', { name: 'Copy this task' }).focus()
          await page.keyboard.press('Enter')
          await page.getByRole('menu').waitFor()
          for (const key of ['c', 'Enter']) await page.keyboard.press(key)
          await page.getByRole('button', { name: 'Copied' }).waitFor()
          const copied = await page.evaluate('navigator.clipboard.readText()')
          expectEqual(
            'the command',
            copied,
            [
              `curl -s ${server.url}${path} \\`,
              "  -H 'Authorization: Bearer sk_live_local' \\",
              "  -H 'Content-Type: application/json' \\",
              `  -d '{"model": "ray-2", "prompt": "a kite'\\''s tail"}'`,
            ].join('\n'),
          )
          const { data } = await server.get<{ data: readonly object[] }>('/_sim/journal?type=request')
          expectEqual('the number of requests', data.length, 1)
        },
        { permissions: ['clipboard-read', 'clipboard-write'] },
      ),
    },
    {
      title: 'the first command is in the format of the chosen dialect',
      run: scene(async (page, server) => {
        await visit(page, server, 'tasks')
        await page.getByText(`curl -s ${server.url}/api/v1/tasks`).waitFor()
        await page.locator('main').getByLabel('Dialect').selectOption('runpod')
        await page.getByText(`curl -s ${server.url}/runpod/v2/acme-image-1/run`).waitFor()
      }),
    },
    {
      title: 'the list is filtered by state, kind, key and words',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'a red boat' })
        await server.create(VIDEO, { prompt: 'a red kite', duration: 5 })
        await server.post(
          '/api/v1/tasks',
          { model: 'acme/image-2', input: { prompt: 'a green boat' } },
          'sk_live_other_5678',
        )
        await server.advance('3s')
        await row(page, 'a green boat').waitFor()
        const titles = () => page.locator('.row-title').allInnerTexts()
        const shows = (...expected: string[]) =>
          eventually(`the list to be ${expected}`, titles, (now: string[]) => now.join() === expected.join())
        await page.getByRole('button', { name: 'processing' }).click()
        await shows('a red kite')
        await page.getByRole('button', { name: 'processing' }).click()
        await page.getByLabel('Kind').selectOption('image')
        await shows('a green boat', 'a red boat')
        await page.getByLabel('API key').selectOption('sk_...5678')
        await shows('a green boat')
        await page.getByRole('button', { name: 'clear' }).click()
        await page.getByLabel('Search tasks').fill('boat red')
        await shows('a red boat')
        await page.getByLabel('Search tasks').fill('submarine')
        await page.getByRole('button', { name: 'Show all tasks' }).click()
        await shows('a green boat', 'a red kite', 'a red boat')
      }),
    },
    {
      title: 'a sandbox has a list of its own',
      run: scene(async (page, server) => {
        await server.create('acme/image-1', { prompt: 'outside' })
        const { api_key: key } = await server.post<{ api_key: string }>('/_sim/sandboxes', { name: 'box' })
        await server.post('/api/v1/tasks', { model: 'acme/image-1', input: { prompt: 'inside' } }, key)
        await row(page, 'outside').waitFor()
        await page.getByRole('button', { name: 'Sandbox: Main simulator' }).click()
        await page.getByRole('menuitemradio', { name: 'box 1 task' }).click()
        await row(page, 'inside').waitFor()
        await page.getByRole('button', { name: 'Sandbox: box' }).waitFor()
        expectEqual('tasks in the list', await page.locator('.row').count(), 1)
      }),
    },
    {
      title: 'a prompt that holds markup stays text, and runs nothing',
      run: scene(async (page, server) => {
        const prompt = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>'
        const id = await server.create('acme/image-1', { prompt, [prompt]: prompt })
        await server.create('acme/<b>model</b>', { messages: [{ role: 'user', content: prompt }], prompt })
        await server.advance('10s')
        await row(page, prompt).first().waitFor()
        await visit(page, server, `tasks/${id}`)
        await page.getByRole('heading', { name: prompt }).waitFor()
        await visit(page, server, `tasks/${encodeURIComponent(prompt)}`)
        await page.getByText('Task not found').waitFor()
        expectEqual('code that ran', await page.evaluate(() => 'owned' in globalThis), false)
        expectEqual(
          'elements out of the prompt',
          await page.locator('img[src="x"], .row b, main script').count(),
          0,
        )
      }),
    },
  ]
}
