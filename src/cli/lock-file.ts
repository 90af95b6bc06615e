import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns package-lock.json without the commands of the packages that bring Node. All are called `node`, and npm
 * before 11 ends an install by removing the commands of the packages that are for other platforms.
 */
export function lockWithoutNodeCommands(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const name of Object.keys(lock.packages[''].optionalDependencies)) {
    if (name.startsWith('node-')) delete lock.packages[`node_modules/${name}`].bin
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`
}
