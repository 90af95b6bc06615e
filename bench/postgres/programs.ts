import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { resolve } from 'node:path'

/** Says what is not measured where no pgbench can be run. */
export const withoutPgbench =
  'Left out, since no pgbench can be run, and --pgbench may name one: ' +
  'order of two and add to cart on PostgreSQL beside it.'

/** The pgbench to run: the one that is named, or one that is found; nothing where none can be run. */
export function usablePgbench(named: string | undefined): string | undefined {
  const program = named ?? findProgram('pgbench', searched())
  if (program === undefined) return undefined
  return spawnSync(program, ['--version']).status === 0 ? program : undefined
}

/** The `PATH`, and after it where Debian keeps the programs of each PostgreSQL, newest first. */
function searched(): readonly string[] {
  const { PATH = '' } = process.env
  const versions = globSync('/usr/lib/postgresql/*/bin')
  return [...PATH.split(':'), ...newestFirst(versions)]
}

/** Folders of versions, as numbers go: 15 is newer than 9.6. */
export const newestFirst = (folders: readonly string[]): readonly string[] =>
  folders.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))

/** The first of that name in these folders that may be executed. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  const places = folders.filter((folder) => folder !== '').map((folder) => resolve(folder, name))
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
