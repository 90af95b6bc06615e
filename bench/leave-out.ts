import type { Measurement } from './options.ts'
import { withoutPgbench } from './postgres/programs.ts'

/** What this machine has of what some measurements need. */
export interface Found {
  /** Why no database can be made on PostgreSQL; nothing where one can. */
  readonly noDatabase: string | undefined
  /** The program to run; nothing where there is none. */
  readonly pgbench: string | undefined
}

/** What is measured on PostgreSQL. */
export const onPostgres: readonly Measurement[] = ['postgres', 'workers', 'growth-postgres']

/** Leaves out of what is wanted what cannot be measured here, with a note of what and why. */
export function leaveOut(
  wanted: ReadonlySet<Measurement>,
  { noDatabase, pgbench }: Found,
): { readonly wanted: ReadonlySet<Measurement>; readonly notes: readonly string[] } {
  const left = onPostgres.filter((name) => wanted.has(name))
  if (noDatabase !== undefined && left.length > 0) {
    const note = `Left out, since ${noDatabase} (--postgres may name another): ${left.join(', ')}.`
    return { wanted: wanted.difference(new Set(left)), notes: [note] }
  }
  const notes = wanted.has('postgres') && pgbench === undefined ? [withoutPgbench] : []
  return { wanted, notes }
}
