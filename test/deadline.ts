import { basename } from 'node:path'

// Preloaded into every test process. The timer itself keeps nothing alive, so it can only fire
// in a file that left something open: a server, a socket, a timer.
const fileTimeoutMs = Number(process.env['TEST_FILE_TIMEOUT_MS'] ?? 180_000)

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(', ')
  const file = basename(process.argv[1] ?? '')
  console.error(`${file} did not end within ${fileTimeoutMs} ms; still open: ${open}`)
  process.exit(1)
}, fileTimeoutMs).unref()
