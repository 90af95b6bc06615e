import { randomBytes } from 'node:crypto'
import { startSandbox } from '#shop/providers/sandbox/server.ts'
import { readSandboxConfig } from '#src/config/config.ts'
import { loadEnvironment } from '#src/config/environment.ts'
import { exitWithStartError, StartError } from '#src/server/start-error.ts'
import { readArguments } from './arguments.ts'

const command = {
  usage: 'npm run sandbox',
  description: 'Runs the payment sandbox as a process of its own, until SIGTERM or SIGINT.',
}

async function listen(options: Parameters<typeof startSandbox>[0]) {
  try {
    return await startSandbox(options)
  } catch (error) {
    throw new StartError(`The sandbox cannot start: ${(error as Error).message}`)
  }
}

try {
  readArguments(command)
  loadEnvironment()
  const config = readSandboxConfig(process.env)
  const { port, host, file } = config
  const secret = config.secret ?? randomBytes(24).toString('base64url')
  const sandbox = await listen({ port, host, secret, ...(file !== undefined && { file }) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, sandbox.close)
  const shownSecret = config.secret === undefined ? secret : "'the value of SANDBOX_SECRET'"
  console.log(
    [
      `Payment sandbox listens at ${sandbox.url}`,
      `  charges    ${file ?? 'in memory, lost on exit'}`,
      '\nStart a server with it:',
      `  PAYMENT_PROVIDER_URL=${sandbox.url} PAYMENT_PROVIDER_SECRET=${shownSecret} npm start`,
    ].join('\n'),
  )
} catch (error) {
  exitWithStartError(error)
}
