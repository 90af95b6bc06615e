import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { exitOnUsageError, readArguments } from '#src/cli/arguments.ts'
import { printCosts, recordCostsIn } from './support/run/cost.ts'
import { entryFile, findTestFiles, groupFiles } from './support/run/file-groups.ts'
import { createTemplates } from './support/services/databases.ts'
import { startFastPostgres } from './support/services/own-postgres.ts'
import {
  type FoundService,
  findService,
  services,
  wantsAllServices,
} from './support/services/services.ts'

const root = join(import.meta.dirname, '..')
/** The limit of a test and of a suite, which only ends what hangs. */
const timeoutMs = Number(process.env['TEST_TIMEOUT_MS'] ?? 600_000)
// Most tests wait now and then; services take the processors that others leave.
const processesAtOnce = wantsAllServices(process.env) ? 2 : 5
/** The compiled modules of tests and of the servers that they start; `npm start` has the same. */
const compileCache = join(root, 'node_modules/.cache/compiled')
/** Where plans are looked at in a shop of any size, which take minutes for the largest. */
const largeTests = 'test/queries/plans-sizes'

const command = {
  usage: 'npm test -- [--cost] [PART-OF-A-PATH]…',
  description:
    'Runs the tests whose path contains one of the arguments; all tests without any. With --cost, prints the processor time of each file.',
  options: { cost: { type: 'boolean' as const } },
  allowPositionals: true,
}

/** What every test process loads first, in this order. */
const preloads = ['./support/run/stray-errors.ts', './support/run/deadline.ts']

/** The results of all files. */
interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

async function main(filters: readonly string[], printsCost: boolean): Promise<boolean> {
  const files = findTestFiles(filters)
  if (files.length === 0) throw new Error(`no test file matches ${filters.join(', ')}`)
  process.env['NODE_COMPILE_CACHE'] ??= compileCache
  const removals: (() => Promise<void>)[] = []
  try {
    const postgres = await startPostgres()
    if (postgres !== undefined) removals.push(postgres.dispose)
    const found = await findServices()
    removals.push(await createTemplates())
    return report(files, found, await runTests(files, printsCost))
  } finally {
    for (const remove of removals.reverse()) await remove()
  }
}

/**
 * Starts a PostgreSQL server for these tests, unless `TEST_DATABASE_URL` names one, services are not wanted
 * or this machine cannot start any: a server that makes commits durable takes most of the time of the tests.
 */
async function startPostgres() {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return undefined
  const program = services.find(({ variable }) => variable === 'TEST_POSTGRES_SERVER')
  const { location } = program === undefined ? {} : await findService(program, process.env)
  if (location === undefined) return undefined
  try {
    const server = await startFastPostgres(location)
    process.env['TEST_DATABASE_URL'] = server.url
    return server
  } catch (error) {
    console.log(`${location} does not start, so the tests use a running server, if there is one:`)
    console.log(error)
    return undefined
  }
}

async function findServices(): Promise<readonly FoundService[]> {
  const found = await Promise.all(services.map((service) => findService(service, process.env)))
  for (const { variable, location } of found) {
    if (location !== undefined) process.env[variable] = location
  }
  return found
}

/** Prints what was left out and the number of tests; returns whether the run has succeeded. */
function report(files: readonly string[], found: readonly FoundService[], counts: Counts): boolean {
  const missing = found.filter((service) => service.location === undefined)
  if (missing.length > 0) console.log(`\n${describeMissing(missing)}`)
  const complete = missing.length === 0 && counts.skipped === 0
  if (process.env['TEST_LARGE'] === undefined && files.some((file) => file.includes(largeTests))) {
    console.log(
      '\nA shop of 1,000,000 rows in each table was left out: npm run test:large has one.',
    )
  }
  const mustBeComplete = process.env['CI'] === 'true'
  if (mustBeComplete && !complete)
    console.log('\nWith CI=true a missing service or a skipped test is a failure.')
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  return counts.failed === 0 && counts.passed > 0 && (complete || !mustBeComplete)
}

async function runTests(files: readonly string[], printsCost: boolean): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-tests-'))
  const costFile = join(folder, 'cost')
  if (printsCost) recordCostsIn(costFile)
  const entries = groupFiles(files).map((group) => entryFile(group, folder))
  const execArgv = preloads.flatMap((file) => ['--import', import.meta.resolve(file)])
  const events = run({
    files: entries,
    cwd: root,
    concurrency: processesAtOnce,
    timeout: timeoutMs,
    execArgv,
  })
  let counts: Counts = { passed: 0, failed: 1, skipped: 0 }
  const empty = collectEmptyFiles(events, files)
  events.on('test:summary', ({ file, success, counts: summary }) => {
    if (file !== undefined) return
    const failed = summary.tests - summary.passed - summary.skipped - summary.todo
    // A file can fail without a failing test.
    counts = {
      passed: summary.passed,
      failed: Math.max(failed, success ? 0 : 1),
      skipped: summary.skipped + summary.todo,
    }
  })
  for await (const text of events.compose(spec)) process.stdout.write(text)
  if (printsCost) printCosts(costFile)
  await rm(folder, { recursive: true })
  const { alone, shared } = empty
  for (const file of [...alone, ...shared]) console.log(`\n${file} contains no test.`)
  const failed = counts.failed + alone.length + shared.length
  return { ...counts, passed: counts.passed - alone.length, failed }
}

/** The files that contain no test. */
interface EmptyFiles {
  /** Node reports each of them as a test that passed. */
  readonly alone: string[]
  /** The suites of files come one after the other, each after its tests. */
  readonly shared: string[]
}

function collectEmptyFiles(events: ReturnType<typeof run>, files: readonly string[]): EmptyFiles {
  const empty: EmptyFiles = { alone: [], shared: [] }
  const paths = new Set(files.map((file) => join(root, file)))
  let hasTest = false
  events.on('test:summary', ({ file }) => {
    if (file !== undefined) hasTest = false
  })
  events.on('test:pass', ({ name, details, skip }) => {
    if (paths.has(name)) empty.alone.push(relative(root, name))
    if (details.type === 'test' || skip !== undefined) hasTest = true
    if (details.type !== 'suite' || !files.includes(name)) return
    if (!hasTest) empty.shared.push(name)
    hasTest = false
  })
  return empty
}

function describeMissing(services: readonly FoundService[]): string {
  const wantsAll = wantsAllServices(process.env)
  return [
    'Tests that need these services were skipped:',
    ...services.map(({ name, variable, remedy }) =>
      wantsAll ? `  ${name}: ${remedy}, or set ${variable}` : `  ${name}`,
    ),
    ...(wantsAll ? [] : ['npm run test:all tests with all of them that this machine has.']),
  ].join('\n')
}

// The PostgreSQL server of the tests is killed when this process exits, which a signal alone does not make it do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))
try {
  const { values, positionals } = exitOnUsageError(() => readArguments(command))
  process.exitCode = (await main(positionals, values.cost === true)) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
