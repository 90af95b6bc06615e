import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this project. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Makes a directory for what one run writes, which goes with the process. It lies inside the project,
 * because the machine's own temporary directory may be in memory.
 */
export function makeDirectory(name: string): string {
  mkdirSync(resolve(root, '.cache'), { recursive: true })
  const directory = mkdtempSync(resolve(root, `.cache/${name}-`))
  process.once('exit', () => rmSync(directory, { recursive: true, maxRetries: 5 }))
  return directory
}
