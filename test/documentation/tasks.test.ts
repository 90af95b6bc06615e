import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { browserSkipReason, openBrowser, openPage } from '#test/support/services/browser.ts'
import { createEmptyDatabase, skipReason } from '#test/support/services/databases.ts'
import { freePort } from '#test/support/services/ports.ts'
import { type ServerProcess, start } from '#test/support/services/server-process.ts'
import { assertShows, blocksOf, missingTools, runSteps, stepsOf } from '#test/support/tour.ts'

const password = 'the password of a test'
const client = new URL('../../client/src/client.ts', import.meta.url).href

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`the tasks of the reference on ${kind}`, { skip: skipReason(kind) }, () => {
    let folder: string
    let database: Awaited<ReturnType<typeof createEmptyDatabase>>
    let server: ServerProcess
    let text: string
    let pageOrigin: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cartwright-tasks-'))
      database = await createEmptyDatabase(kind)
      const port = await freePort()
      pageOrigin = `http://localhost:${await freePort()}`
      server = start(folder, {
        PORT: String(port),
        DATABASE_URL: database.url,
        SECRET_KEY: 'a secret key that only tests sign with',
        DEMO_DATA: 'on',
        ADMIN_PASSWORD: password,
        CORS_ORIGINS: pageOrigin,
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      })
      await server.url
      const shown = await (await fetch(`http://localhost:${port}/docs/tasks`)).text()
      text = shown
        .replaceAll('what the first start printed', password)
        .replaceAll('http://localhost:8080', pageOrigin)
        .replace(/\b4000\b/g, String(await freePort()))
      await writeFile(join(folder, 'receiver.mjs'), blocksOf(text, 'js').join(''))
    })
    after(async () => {
      await server.stop()
      await database.remove()
      await rm(folder, { recursive: true, force: true })
    })

    test('are shown with curl and as code', () => {
      const [, ...tasks] = text.split(/^## /m)
      assert.equal(tasks.length, 16)
      for (const task of tasks) {
        assert.equal(blocksOf(task, 'bash').length, 1, task)
        assert.match(task, /^# .*\n```$/m)
        if (blocksOf(task, 'html').length === 1) continue
        assert.equal(blocksOf(task, 'ts').length, 1, task)
        assert.match(task, /^\/\/ .*\n```$/m)
      }
    })

    test('work as commands', { skip: missingTools('bash', 'curl', 'jq') }, async () => {
      const steps = blocksOf(text, 'bash').flatMap(stepsOf)
      const outputs = await runSteps(steps, folder)
      for (const [at, step] of steps.entries()) assertShows(outputs[at] ?? '', step)
    })

    test('work as code', async () => {
      const code = blocksOf(text, 'ts').join('\n')
      const file = join(folder, 'tasks.ts')
      await writeFile(file, code.replace("'@cartwright/client'", `'${client}'`))
      const { stdout } = await promisify(execFile)(process.execPath, [file])
      const shows = [...code.matchAll(/^\/\/ (.*)$/gm)].map(([, line = '']) => line.split(' … '))
      assertShows(stdout, { commands: code, shows: [shows.flat()] })
    })

    test('work as a page on another origin', { skip: browserSkipReason() }, async (context) => {
      const [page = ''] = blocksOf(text, 'html')
      const origin = createServer((_, response) => {
        response.setHeader('content-type', 'text/html').end(page)
      }).listen(Number(new URL(pageOrigin).port), 'localhost')
      context.after(() => origin.close())
      await once(origin, 'listening')
      const browser = await openBrowser()
      context.after(() => browser.close())
      const { page: shopPage } = await openPage(browser)
      await shopPage.goto(pageOrigin)
      await shopPage.getByRole('button').first().click()
      await shopPage.getByText('1 in the cart').waitFor()
    })
  })
}
