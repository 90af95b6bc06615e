import { basename } from 'node:path'
import { after } from 'node:test'
import { recordRest } from './cost.ts'

// Preloaded into every test process. The first timer ends a process that takes too long, the second one
// that leaves a server, socket or timer open. Neither timer keeps the process alive.
const processTimeoutMs = Number(process.env['TEST_FILE_TIMEOUT_MS'] ?? 1_800_000)
const exitTimeoutMs = 30_000

exitAfter(processTimeoutMs, 'of its start')
recordRest(basename(process.argv[1] ?? ''))
after(() => exitAfter(exitTimeoutMs, 'of its last test'))

function exitAfter(limitMs: number, since: string): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    const file = basename(process.argv[1] ?? '')
    console.error(`${file} did not end within ${limitMs} ms ${since}; still open: ${open}`)
    process.exit(1)
  }, limitMs).unref()
}
