import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { exitOnUsageError } from '#src/cli/arguments.ts'
import { againstDatabases, againstMeasurements, findTree, measureAgainst } from './against.ts'
import { growthOnPostgres, growthOnSqlite } from './growth.ts'
import { defaultPostgresUrl, readNames, readOptions } from './options.ts'
import { databaseSkipReason, findPgbench, withoutPgbench } from './postgres/database.ts'
import { measureOnPostgres, postgresMeasurements } from './postgres.ts'
import { formatTable, integer, type Line, type Lines } from './report.ts'
import { makeDirectory } from './server.ts'
import { measureSoak, soakConnections, soakData } from './soak.ts'
import { measureOnSqlite, sqliteMeasurements } from './sqlite.ts'

const onPostgres = ['postgres', 'workers', 'growth-postgres'] as const
const measurements = [...sqliteMeasurements, 'growth', 'soak', ...onPostgres] as const
type Measurement = (typeof measurements)[number]

/** Size and duration of a full run, and of a quick one. */
const whole = { large: 1_000_000, minutes: 10 }
const quick = { large: 50_000, minutes: 1 }

const isGiven = (name: string) => process.argv.some((word) => word.split('=')[0] === name)
const isWhole = isGiven('--whole')
const isAgainst = isGiven('--against')
const options = readOptions('bench', {
  against: '',
  rounds: 5,
  on: [] as string[],
  seconds: isAgainst ? 2 : 5,
  connections: 32,
  only: [] as string[],
  json: '',
  whole: false,
  small: 1000,
  ...(isWhole ? whole : quick),
  postgres: defaultPostgresUrl,
  pgbench: '',
})
const { large, minutes, postgres: url } = options
const known = isAgainst ? againstMeasurements : measurements
const wanted = new Set<Measurement>(readNames('only', options.only, known))
const databases = new Set(readNames('on', options.on, againstDatabases))
const pgbench = findPgbench(options.pgbench)
const growth = { ...options, rounds: 3, seconds: isWhole ? 1 : 0.25 }

/** Measurements that share a directory. */
interface Part {
  readonly of: readonly Measurement[]
  readonly measure: (directory: string) => Lines
}

const against: Part = {
  of: againstMeasurements,
  measure: (directory) => {
    const tree = exitOnUsageError(() => findTree(options.against))
    const names = againstMeasurements.filter((name) => wanted.has(name))
    return measureAgainst({ ...options, tree, url, directory, on: databases, wanted: names })
  },
}

const parts: readonly Part[] = [
  {
    of: sqliteMeasurements,
    measure: (directory) => measureOnSqlite({ ...options, wanted, directory }),
  },
  { of: ['growth'], measure: (directory) => growthOnSqlite({ ...growth, directory }) },
  {
    of: ['soak'],
    measure: (directory) => {
      const data = isWhole ? soakData : directory
      return measureSoak({ ...options, products: large, connections: soakConnections, data })
    },
  },
  {
    of: ['postgres', 'workers'],
    measure: (directory) => {
      const names = postgresMeasurements.filter((name) =>
        wanted.has(name === 'workers' ? name : 'postgres'),
      )
      const here = { url, pgbench, directory, flags: [], wanted: new Set(names) }
      return measureOnPostgres({ ...options, ...here })
    },
  },
  {
    of: ['growth-postgres'],
    measure: (directory) => growthOnPostgres({ ...growth, directory }, url),
  },
]

/** Without PostgreSQL, removes from `wanted` what needs it and adds a note. */
async function leaveOut(): Promise<readonly string[]> {
  const left: string[] = onPostgres.filter((name) => wanted.has(name))
  if (isAgainst && databases.has('postgres')) left.push('postgres')
  const reason = left.length > 0 ? await databaseSkipReason(url) : undefined
  if (reason !== undefined) {
    for (const name of onPostgres) wanted.delete(name)
    databases.delete('postgres')
    return [`Left out, since ${reason} (--postgres may name another): ${left.join(', ')}.`]
  }
  return wanted.has('postgres') && pgbench === undefined ? [withoutPgbench] : []
}

/** Adds a note when size or duration differ from those of a full run. */
function sizeNotes(): readonly string[] {
  const isSized = (['growth', 'growth-postgres', 'soak'] as const).some((name) => wanted.has(name))
  if (!isSized || (large >= whole.large && minutes >= whole.minutes)) return []
  return [
    `Growth goes to ${integer(large)} products and orders, and the soak takes ${minutes} min over as many ` +
      'products; what is aimed at is 1,000,000 and 10 min, which --whole takes.',
  ]
}

function printLogs(directory: string): void {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    const text = readFileSync(resolve(directory, name), 'utf8')
    if (text) process.stderr.write(`--- the end of ${name}\n${text.slice(-4000)}\n`)
  }
}

const directory = makeDirectory('bench')
const lines: Line[] = []
const left = await leaveOut()
const notes = [...sizeNotes(), ...left]
try {
  for (const [at, { of, measure }] of (isAgainst ? [against] : parts).entries()) {
    if (!of.some((name) => wanted.has(name))) continue
    const place = resolve(directory, String(at))
    mkdirSync(place)
    for await (const line of measure(place)) lines.push(line)
  }
} catch (error) {
  printLogs(directory)
  notes.push('The run failed: what is missing was not measured.')
  throw error
} finally {
  // Results are printed even if a later measurement fails.
  const sides = isAgainst ? ['this', 'other'] : ['server', 'baseline']
  const table = lines.length > 0 ? [formatTable(lines, sides)] : []
  process.stdout.write(`\n${[...table, ...notes].join('\n\n')}\n`)
  if (lines.length === 0) process.exitCode = 1
  if (options.json !== '') writeFileSync(options.json, JSON.stringify(lines, null, 2))
}
