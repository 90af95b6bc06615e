import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { start } from '#test/support/services/server-process.ts'

const password = 'the password of a test'

/** Commands of a document, and the pieces that each line of expected output contains in order. */
interface Step {
  readonly commands: string
  readonly shows: readonly (readonly string[])[]
}

const blocksOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block)

/** Splits a code block at empty lines into steps; lines with `#` are expected output. */
const stepsOf = (block: string): readonly Step[] =>
  block.split(/\n{2,}/).map((text) => {
    const lines = text.split('\n').filter((line) => line !== '')
    return {
      commands: lines.filter((line) => !line.startsWith('#')).join('\n'),
      shows: lines
        .filter((line) => line.startsWith('#'))
        .map((line) => line.replace(/^# */, '').split(' … ')),
    }
  })

// Separates the outputs of the steps.
const separator = '\u001e'

/** Runs steps in one shell that ends at the first failing command; returns the output of each. */
async function runSteps(steps: readonly Step[], folder: string): Promise<readonly string[]> {
  const marked = steps.map(({ commands }) => `${commands}\nprintf '\\036'`)
  const script = ['set -euo pipefail', ...marked].join('\n')
  // The commands find the Node that runs this test.
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const { code, stdout, stderr } = await new Promise<{
    readonly code: unknown
    readonly stdout: string
    readonly stderr: string
  }>((resolve) => {
    execFile(
      'bash',
      ['--norc', '-c', script],
      { cwd: folder, env: { PATH } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
  const outputs = stdout.split(separator)
  const last = steps[outputs.length - 1]?.commands
  assert.equal(code, 0, `\n${last}\nfails\n${outputs.at(-1)}\n${stderr}`)
  return outputs
}

function assertShows(output: string, { commands, shows }: Step): void {
  for (const pieces of shows) {
    let from = 0
    for (const piece of pieces) {
      const at = output.indexOf(piece, from)
      assert.notEqual(at, -1, `\n${commands}\ndoes not show, in this order: ${piece}\n${output}`)
      from = at + piece.length
    }
  }
}

const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).status !== 0)
const skip = missing.length > 0 && `${missing.join(' and ')} are not installed`

/** The documents whose commands must work unchanged on a fresh start. */
const documents = ['README.md', 'docs/authentication.md', 'docs/oauth.md', 'docs/events.md']

for (const document of documents) {
  test(`the commands of ${document} work on a fresh start`, { skip }, async () => {
    const text = await readFile(new URL(`../../${document}`, import.meta.url), 'utf8')
    const folder = await mkdtemp(join(tmpdir(), 'cartwright-tour-'))
    const server = start(folder, { ADMIN_PASSWORD: password })
    try {
      const url = await server.url
      const steps = blocksOf(text)
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
