import { randomBytes } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '#db/folder.ts'
import { makeDefaultFolderPrivate } from '#db/private-files.ts'
import type { Config } from '#src/config/config.ts'
import type { DatabaseAddress } from '#src/config/database-url.ts'
import { httpProvider, providerOver } from '#src/payments/http/provider.ts'
import type { PaymentProvider } from '#src/payments/provider.ts'
import { openSandbox, type SandboxOptions, startSandbox } from '#src/payments/sandbox/server.ts'
import { createSandboxExchange } from './sandbox.ts'

const name = 'sandbox'

/** The payment provider of a server process. */
interface OpenProvider {
  readonly provider: PaymentProvider
  /** Undefined for the sandbox in this process. */
  readonly url: string | undefined
  readonly close: () => Promise<void>
}

/** Opens the configured payment provider, or else the built-in sandbox in this process. */
export function openProvider(config: Config): OpenProvider {
  const { paymentProviderUrl: url, paymentTimeoutMs: timeoutMs } = config
  const secret = providerSecret(config)
  if (url !== undefined) {
    const provider = httpProvider({ baseUrl: url, secret, timeoutMs, name })
    return { provider, url, close: provider.close }
  }
  const sandbox = openSandbox(sandboxOptions(config, secret))
  const provider = providerOver(createSandboxExchange(sandbox, timeoutMs), { secret, name })
  const close = async () => {
    await provider.close()
    await sandbox.close()
  }
  return { provider, url, close }
}

/** A payment provider that several processes reach by URL. */
interface SharedProvider {
  readonly url: string
  readonly secret: string
  /** Stops the built-in sandbox; does nothing for another provider. */
  readonly close: () => Promise<void>
}

/** Returns the configured payment provider, or else starts the built-in sandbox on a free port. */
export async function startSharedProvider(config: Config): Promise<SharedProvider> {
  const secret = providerSecret(config)
  const { paymentProviderUrl: url } = config
  if (url !== undefined) return { url, secret, close: async () => {} }
  const sandbox = await startSandbox({ port: 0, ...sandboxOptions(config, secret) })
  return { url: sandbox.url, secret, close: sandbox.close }
}

const providerSecret = ({ paymentProviderSecret }: Config): string =>
  paymentProviderSecret ?? randomBytes(32).toString('base64url')

function sandboxOptions({ database }: Config, secret: string): SandboxOptions {
  const file = chargesFileOf(database)
  if (file === undefined) return { secret }
  makeFolder(dirname(file))
  makeDefaultFolderPrivate(dirname(file))
  return { secret, file }
}

/** Returns the file for the charges of the sandbox, which must last as long as the payments; undefined in memory. */
function chargesFileOf({ kind, url, file }: DatabaseAddress): string | undefined {
  if (kind === 'sqlite') return file === undefined ? undefined : `${file}.charges`
  const name = new URL(url).pathname.replaceAll(/[^\w.-]/g, '') || 'postgres'
  return resolve('data', `${name}.charges`)
}
