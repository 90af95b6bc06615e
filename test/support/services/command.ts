import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { inheritedEnvironment } from './server-process.ts'

const root = join(import.meta.dirname, '../../..')

/** What a command has printed, and its exit code. */
export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Creates an empty folder for the time of a test. */
export async function createEmptyFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a file of `src/` in a folder. */
export function runCommand(
  folder: string,
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const command = [join(root, 'src', file), ...args]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { cwd: folder, env: { ...inheritedEnvironment, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}
