import { randomBytes } from 'node:crypto'
import { startSandbox } from './server.ts'

const { SANDBOX_PORT = '3010', SANDBOX_HOST = '127.0.0.1', SANDBOX_FILE } = process.env
const secret = process.env['SANDBOX_SECRET'] || randomBytes(24).toString('base64url')

try {
  const file = SANDBOX_FILE || undefined
  const sandbox = await startSandbox({
    port: Number(SANDBOX_PORT),
    host: SANDBOX_HOST,
    secret,
    ...(file !== undefined && { file }),
  })
  console.log(`Payment sandbox listens at ${sandbox.url}`)
  console.log(file === undefined ? 'Charges are kept in memory.' : `Charges are kept in ${file}.`)
  if (!process.env['SANDBOX_SECRET']) console.log(`SANDBOX_SECRET=${secret}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, sandbox.close)
} catch (error) {
  console.error(`Payment sandbox: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
