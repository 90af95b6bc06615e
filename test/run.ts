import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { type FoundService, findService, services } from './support/services/services.ts'

const root = join(import.meta.dirname, '..')
const timeoutMs = Number(process.env['TEST_TIMEOUT_MS'] ?? 120_000)
const filesAtOnce = 2
/** Where plans are looked at in a shop of any size, which take minutes for the largest. */
const largeTests = 'test/plans-sizes'

/** The results of all files. */
interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

async function main(filters: readonly string[]): Promise<boolean> {
  const files = testFiles(filters)
  if (files.length === 0) throw new Error(`no test file matches ${filters.join(', ')}`)
  const found = await Promise.all(services.map((service) => findService(service, process.env)))
  for (const { variable, location } of found) {
    if (location !== undefined) process.env[variable] = location
  }
  const counts = await runTests(files)
  const missing = found.filter((service) => service.location === undefined)
  for (const service of missing) console.log(`\n${describeRemedy(service)}`)
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

function testFiles(filters: readonly string[]): readonly string[] {
  const unknown = filters.find((filter) => filter.startsWith('-'))
  if (unknown !== undefined)
    throw new Error(`unknown option ${unknown}; usage: npm test -- [part of a path]…`)
  const relativeFilters = filters.map((filter) => relative(root, filter))
  const matches = (path: string) =>
    filters.length === 0 ||
    [...filters, ...relativeFilters].some((part) => part && path.includes(part))
  return globSync('{src,test,bench}/**/*.test.ts', { cwd: root }).sort().filter(matches)
}

async function runTests(files: readonly string[]): Promise<Counts> {
  const paths = files.map((file) => join(root, file))
  const execArgv = ['--import', import.meta.resolve('./support/deadline.ts')]
  const events = run({
    files: paths,
    cwd: root,
    concurrency: filesAtOnce,
    timeout: timeoutMs,
    execArgv,
  })
  let counts: Counts = { passed: 0, failed: 1, skipped: 0 }
  const empty: string[] = []
  events.on('test:pass', ({ name }) => {
    // Node reports a file as a test only if it contains no test.
    if (paths.includes(name)) empty.push(relative(root, name))
  })
  events.on('test:summary', ({ file, success, counts: summary }) => {
    if (file !== undefined) return
    const failed = summary.tests - summary.passed - summary.skipped - summary.todo
    // A file can fail without a failing test.
    counts = {
      passed: summary.passed - empty.length,
      failed: Math.max(failed, success ? 0 : 1) + empty.length,
      skipped: summary.skipped + summary.todo,
    }
  })
  for await (const text of events.compose(spec)) process.stdout.write(text)
  for (const file of empty) console.log(`\n${file} contains no test.`)
  return counts
}

function describeRemedy({ name, variable, remedy }: FoundService): string {
  return [
    `${name} was not found, so the tests that need it were skipped.`,
    `To run them, ${remedy} or set ${variable} to its location.`,
  ].join('\n')
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
