import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureCost } from './cost.ts'

const root = join(import.meta.dirname, '../../..')
const require = createRequire(import.meta.url)
/** The largest timeout: the tests of a file have timeouts of their own. */
const longestMs = 2 ** 31 - 1
const closingTimeoutMs = 30_000
const pollIntervalMs = 20

let filesOfProcess = 0

/** The number of files whose tests this process runs; 0 if Node was started with a test file. */
export const countFilesOfProcess = (): number => filesOfProcess

/**
 * Declares the tests of files, given by their paths from the project, each file as a suite. A suite fails if
 * its file leaves a server, socket or timer open, or changes the environment.
 */
export function declareFiles(files: readonly string[]): void {
  filesOfProcess = files.length
  for (const file of files) {
    describe(file, { timeout: longestMs }, () => {
      let open: readonly string[] = []
      let environment: NodeJS.ProcessEnv = {}
      let recordCost = () => {}
      before(() => {
        open = process.getActiveResourcesInfo()
        environment = { ...process.env }
        recordCost = measureCost(file)
      })
      load(file)
      after(async () => {
        rejectChanges(environment)
        await waitUntilClosed(open)
        recordCost()
      })
    })
  }
}

// `import()` would load the file after the function of the suite, when its tests no longer join the suite.
function load(file: string): void {
  try {
    require(join(root, file))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error
    throw new Error(
      `${file}, or a module that it imports, has an await outside functions, so it must import own-process.ts`,
    )
  }
}

/** Set by sharp when it is loaded. */
const ignoredVariables: readonly string[] = ['VIPSHOME']

function rejectChanges(before: NodeJS.ProcessEnv): void {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const changed = [...names].filter(
    (name) => before[name] !== process.env[name] && !ignoredVariables.includes(name),
  )
  if (changed.length > 0) throw new Error(`the file has changed ${changed.join(', ')}`)
}

/** Resolves once nothing is open that was not open `before`; throws after half a minute. */
async function waitUntilClosed(before: readonly string[]): Promise<void> {
  const deadline = performance.now() + closingTimeoutMs
  for (;;) {
    const open = process.getActiveResourcesInfo()
    for (const resource of before) {
      const at = open.indexOf(resource)
      if (at !== -1) open.splice(at, 1)
    }
    if (open.length === 0) return
    if (performance.now() > deadline) throw new Error(`the file leaves open: ${open.join(', ')}`)
    await sleep(pollIntervalMs)
  }
}
