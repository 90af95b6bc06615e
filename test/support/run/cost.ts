import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// With `npm test -- --cost`, test processes append what each file costs to the file that this variable names.
const variable = 'TEST_COST_FILE'
/** Linux counts processor time in hundredths of a second. */
const msPerTick = 10

/** The processor time of a test file, of its child processes too. */
interface Cost {
  readonly name: string
  readonly ms: number
}

let recordedMs = 0

function record(file: string, name: string, ms: number): void {
  recordedMs += ms
  appendFileSync(file, `${JSON.stringify({ name, ms } satisfies Cost)}\n`)
}

/** Returns the processor time that this process and those of its children that have ended have used; Linux only. */
function usedMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // After the name, in parentheses: proc_pid_stat(5), fields 14 to 17.
  const ticks = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16).map(Number)
  return ticks.reduce((sum, one) => sum + one, 0) * msPerTick
}

/** Starts to measure; returns a function that records the cost since under a name. */
export function measureCost(name: string): () => void {
  const file = process.env[variable]
  if (file === undefined) return () => undefined
  const before = usedMs()
  return () => record(file, name, usedMs() - before)
}

/** Sets where the test processes record costs. */
export const recordCostsIn = (file: string): void => {
  process.env[variable] = file
}

/** Prints the costs that were recorded in a file, the largest first, and their sum. */
export function printCosts(file: string): void {
  const costs = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Cost)
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)
  console.log('\nProcessor time in seconds, by file:')
  for (const { name, ms } of costs.sort((a, b) => b.ms - a.ms)) console.log(seconds(ms), name)
  console.log(seconds(costs.reduce((sum, { ms }) => sum + ms, 0)), 'in all')
}

/** Records at the exit what the process has used besides the costs recorded so far. */
export function recordRest(name: string): void {
  const file = process.env[variable]
  if (file === undefined || !isMainThread) return
  process.once('exit', () => record(file, name, usedMs() - recordedMs))
}
