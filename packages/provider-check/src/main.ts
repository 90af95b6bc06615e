import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exitOnUsageError, readArguments } from '../../../src/cli/arguments.ts'
import { UsageError } from '../../../src/server/start-error.ts'
import { type CheckResult, checkProvider } from './run.ts'
import type { OpenSubject } from './subject.ts'

const command = {
  usage: 'npm run provider-check -- MODULE',
  description:
    'Checks a payment provider by the rules of docs/payment-providers.md. MODULE exports openSubject.',
  allowPositionals: true,
} as const

async function loadSubject(path: string): Promise<OpenSubject> {
  const loaded: { readonly openSubject?: unknown } = await import(
    pathToFileURL(resolve(path)).href
  ).catch((error: Error) => {
    throw new UsageError(`${path} cannot be loaded: ${error.message}`)
  })
  const { openSubject } = loaded
  if (typeof openSubject === 'function') return openSubject as OpenSubject
  throw new UsageError(`${path} does not export openSubject`)
}

const marks = { passed: '✔', failed: '✖', skipped: '–' } as const

function print({ name, result, detail }: CheckResult): void {
  const [reason, ...rest] = (detail ?? '').split('\n')
  console.log(`${marks[result]} ${name}${reason ? `: ${reason}` : ''}`)
  for (const line of rest) console.log(`    ${line}`)
}

const [path, ...others] = exitOnUsageError(() => {
  const { positionals } = readArguments(command)
  if (positionals.length !== 1) throw new UsageError(`usage: ${command.usage}`)
  return positionals
})
const counts = { passed: 0, failed: 0, skipped: 0 }
for await (const result of checkProvider(await loadSubject(path ?? others[0] ?? ''))) {
  print(result)
  counts[result.result] += 1
}
const { passed, failed, skipped } = counts
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1
