import { parseArgs } from 'node:util'
import { chosen, defaultPostgres, positive } from './arguments.ts'
import { endOnSignals } from './ending.ts'
import { makeDirectory } from './place.ts'
import type { Act } from './postgres/acts.ts'
import { measureOnPostgres, postgresMeasurements } from './postgres/measure.ts'
import { usablePgbench, withoutPgbench } from './postgres/programs.ts'
import { layOutReport } from './report.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: defaultPostgres },
    pgbench: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', multiple: true, default: [] },
    // Of Node, for the server that is measured: --cpu-prof, say.
    flags: { type: 'string' },
  },
})

/** Prints what each act sends to the database, and one table of what was measured. */
async function run(): Promise<void> {
  const wanted = chosen(values.only, postgresMeasurements)
  const pgbench = usablePgbench(values.pgbench)
  const { lines, acts } = await measureOnPostgres({
    url: values.url,
    pgbench,
    directory: makeDirectory('postgres'),
    entry: 'src/main.ts',
    flags: values.flags?.split(' ') ?? [],
    effort: {
      seconds: positive('seconds', values.seconds),
      rounds: Math.ceil(positive('rounds', values.rounds)),
      connections: Math.ceil(positive('connections', values.connections)),
    },
    wanted,
  })
  const isBeside = wanted.has('order') || wanted.has('cart')
  const notes = pgbench === undefined && isBeside ? [withoutPgbench] : []
  process.stdout.write(`\n${tableOf(acts)}\n\n${layOutReport({ lines, notes })}\n`)
}

/** The statements of each act, and how often it waits for the database. */
function tableOf(acts: ReadonlyMap<string, Act>): string {
  const rows = [...acts].map(
    ([name, { statements, waits }]) => `| ${name} | ${statements.length} | ${waits} |`,
  )
  return ['| act | statements | round trips |', '| --- | ---: | ---: |', ...rows].join('\n')
}

endOnSignals()
await run()
