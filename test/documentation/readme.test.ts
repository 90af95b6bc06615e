import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '#test/support/services/server-process.ts'
import { assertShows, blocksOf, missingTools, runSteps, stepsOf } from '#test/support/tour.ts'

const password = 'the password of a test'

const skip = missingTools('bash', 'curl')

/** The documents whose commands must work unchanged on a fresh start. */
const documents = [
  'README.md',
  'docs/tour.md',
  'docs/authentication.md',
  'docs/oauth.md',
  'docs/events.md',
]

for (const document of documents) {
  test(`the commands of ${document} work on a fresh start`, { skip }, async () => {
    const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8')
    const folder = await mkdtemp(join(tmpdir(), 'cartwright-tour-'))
    const server = start(folder, { ADMIN_PASSWORD: password })
    try {
      const url = await server.url
      const steps = blocksOf(text, 'bash')
        .map((block) => block.replaceAll('http://localhost:3000', url))
        .map((block) => block.replaceAll('localhost:3000', new URL(url).host))
        .map((block) => block.replaceAll('what the first start printed', password))
        .flatMap(stepsOf)
      const outputs = await runSteps(steps, folder)
      for (const [at, step] of steps.entries()) assertShows(outputs[at] ?? '', step)
      assert.ok(steps.some(({ shows }) => shows.length > 0))
    } finally {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
}
