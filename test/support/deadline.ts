import { basename } from 'node:path'
import { after } from 'node:test'

// Preloaded into every test process. The timers themselves keep nothing alive: the first fires in a
// file that takes too long, the second in one that left something open: a server, a socket, a timer.
const fileTimeoutMs = Number(process.env['TEST_FILE_TIMEOUT_MS'] ?? 180_000)
const leavingMs = 30_000

endWithin(fileTimeoutMs, 'of its start')
after(() => endWithin(leavingMs, 'of its last test'))

function endWithin(limitMs: number, since: string): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    const file = basename(process.argv[1] ?? '')
    console.error(`${file} did not end within ${limitMs} ms ${since}; still open: ${open}`)
    process.exit(1)
  }, limitMs).unref()
}
