import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

/** Commands of a document, and the pieces that each line of expected output contains in order. */
export interface Step {
  readonly commands: string
  readonly shows: readonly (readonly string[])[]
}

/** Returns the code blocks of a language. */
export const blocksOf = (
  markdown: string,
  language: 'bash' | 'html' | 'js' | 'ts',
): readonly string[] =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )

/** Splits a code block at empty lines into steps; lines with `#` are expected output. */
export const stepsOf = (block: string): readonly Step[] =>
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
export async function runSteps(steps: readonly Step[], folder: string): Promise<readonly string[]> {
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

/** Fails unless the output contains what a step shows. */
export function assertShows(output: string, { commands, shows }: Step): void {
  for (const pieces of shows) {
    let from = 0
    for (const piece of pieces) {
      const at = output.indexOf(piece, from)
      assert.notEqual(at, -1, `\n${commands}\ndoes not show, in this order: ${piece}\n${output}`)
      from = at + piece.length
    }
  }
}

/** Why commands with these tools cannot run here; false if they can. */
export function missingTools(...tools: readonly string[]): string | false {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).status !== 0)
  return missing.length > 0 && `${missing.join(' and ')} are not installed`
}
