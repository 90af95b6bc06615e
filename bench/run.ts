import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { endOnSignals } from './ending.ts'
import {
  type GrowthOptions,
  measureGrowthOnPostgres,
  measureGrowthOnSqlite,
} from './growth/measure.ts'
import { leaveOut, onPostgres } from './leave-out.ts'
import { type Measurement, type Options, readOptions } from './options.ts'
import { makeDirectory } from './place.ts'
import { databaseSkipReason } from './postgres/databases.ts'
import {
  measureOnPostgres,
  type PostgresMeasurement,
  postgresMeasurements,
} from './postgres/measure.ts'
import { usablePgbench } from './postgres/programs.ts'
import { type Line, layOutReport, whole } from './report.ts'
import { measureSoak, soakConnections, soakData } from './soak/measure.ts'
import { measureOnSqlite } from './sqlite/measure.ts'

/** Measurements that are made together, in a directory of their own. */
interface Part {
  readonly name: string
  readonly of: readonly Measurement[]
  readonly measure: (options: Options, directory: string) => Promise<readonly Line[]>
}

const parts: readonly Part[] = [
  {
    name: 'sqlite',
    of: ['product', 'list', 'unchanged', 'xml', 'credentials', 'order', 'checkout', 'start'],
    measure: (options, directory) => measureOnSqlite({ ...options, directory }),
  },
  {
    name: 'growth',
    of: ['growth'],
    measure: (options, directory) => measureGrowthOnSqlite(growthOf(options, directory)),
  },
  {
    name: 'soak',
    of: ['soak'],
    measure: ({ minutes, large, entry, isWhole }, directory) => {
      const data = isWhole ? soakData : directory
      return measureSoak({ minutes, products: large, connections: soakConnections, data, entry })
    },
  },
  {
    name: 'postgres',
    of: ['postgres', 'workers'],
    measure: async (options, directory) => {
      const { postgres: url, wanted: all } = options
      const isWanted = (name: PostgresMeasurement) =>
        all.has(name === 'workers' ? 'workers' : 'postgres')
      const wanted = new Set(postgresMeasurements.filter(isWanted))
      const { lines } = await measureOnPostgres({ ...options, url, wanted, directory, flags: [] })
      return lines
    },
  },
  {
    name: 'growth-postgres',
    of: ['growth-postgres'],
    measure: (options, directory) =>
      measureGrowthOnPostgres(growthOf(options, directory), options.postgres),
  },
]

const growthOf = (options: Options, directory: string): GrowthOptions => {
  const { small, large, growthSeconds: seconds, effort, entry } = options
  return { small, large, seconds, rounds: effort.rounds, directory, entry }
}

/** Measures what was asked for and prints one table; throws if anything answered wrongly. */
async function run(asked: Options): Promise<void> {
  const directory = makeDirectory('bench')
  const pgbench = usablePgbench(asked.pgbench)
  const isOnPostgres = onPostgres.some((name) => asked.wanted.has(name))
  const noDatabase = isOnPostgres ? await databaseSkipReason(asked.postgres) : undefined
  const { wanted, notes } = leaveOut(asked.wanted, { noDatabase, pgbench })
  const options = { ...asked, wanted, pgbench }
  const lines: Line[] = []
  const said = [...sizesOf(options), ...notes]
  try {
    for (const part of parts.filter(({ of }) => of.some((name) => wanted.has(name)))) {
      const place = resolve(directory, part.name)
      mkdirSync(place)
      lines.push(...(await part.measure(options, place)))
    }
  } catch (error) {
    printLogs(directory)
    said.push('The run failed: what is missing was not measured.')
    throw error
  } finally {
    // What was measured until then is told even where something fails.
    process.stdout.write(`\n${layOutReport({ lines, notes: said })}\n`)
    if (lines.length === 0) process.exitCode = 1
  }
}

/** Says how large and long it was where that is not what is aimed at. */
function sizesOf({ wanted, isWhole, large, minutes }: Options): readonly string[] {
  const sized: readonly Measurement[] = ['growth', 'growth-postgres', 'soak']
  if (isWhole || !sized.some((name) => wanted.has(name))) return []
  return [
    `Growth goes to ${whole(large)} products and orders, and the soak takes ${minutes} min over as many ` +
      'products; what is aimed at is 1,000,000 and 10 min, which --whole takes.',
  ]
}

function printLogs(directory: string): void {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((name) => name.endsWith('.log'))) {
    const text = readFileSync(resolve(directory, name), 'utf8')
    if (text) process.stderr.write(`--- the end of ${name}\n${text.slice(-4000)}\n`)
  }
}

endOnSignals()
await run(readOptions(process.argv.slice(2)))
