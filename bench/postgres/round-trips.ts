import type { Line } from '../report.ts'
import type { Act } from './acts.ts'

/** How often an act waits for the database, beside the look at who asks, and how often it may. */
export function roundTripsOf(name: string, acts: ReadonlyMap<string, Act>, most: number): Line {
  const act = acts.get(name)
  if (!act) throw new Error(`nothing is known of ${name}`)
  const looks = act.statements.filter(({ sql }) => sql.includes('"sessions"."ended_at"')).length
  const waits = act.waits - looks
  return {
    name: `PostgreSQL: ${name}, round trips beside that of the credential`,
    server: String(waits),
    target: { text: `≤ ${most}`, met: waits <= most },
  }
}
