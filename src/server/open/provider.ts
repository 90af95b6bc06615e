import { randomBytes } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '#db/folder.ts'
import { makeDefaultFolderPrivate } from '#db/private-files.ts'
import type { Config } from '#src/config/config.ts'
import type { DatabaseAddress } from '#src/config/settings.ts'
import { httpProvider, providerOver } from '#src/payments/http/provider.ts'
import type { PaymentProvider } from '#src/payments/provider.ts'
import { openSandbox, type SandboxOptions, startSandbox } from '#src/payments/sandbox/server.ts'
import { exchangeWith } from './sandbox.ts'

const name = 'sandbox'

/** The payment provider of a process that serves. */
interface OpenProvider {
  readonly provider: PaymentProvider
  /** Where it is; undefined within this process. */
  readonly url: string | undefined
  readonly close: () => Promise<void>
}

/** Reaches the payment provider that is set or, where none is, opens the built-in sandbox in this process. */
export function openProvider(config: Config): OpenProvider {
  const { paymentProviderUrl: url, paymentTimeoutMs: timeoutMs } = config
  const secret = secretOf(config)
  if (url !== undefined) {
    const provider = httpProvider({ baseUrl: url, secret, timeoutMs, name })
    return { provider, url, close: provider.close }
  }
  const sandbox = openSandbox(sandboxOptions(config, secret))
  const provider = providerOver(exchangeWith(sandbox, timeoutMs), { secret, name })
  const close = async () => {
    await provider.close()
    await sandbox.close()
  }
  return { provider, url, close }
}

/** Where several processes reach the same payment provider, and what they share with it. */
interface SharedProvider {
  readonly url: string
  readonly secret: string
  /** Stops the built-in one; nothing for any other. */
  readonly close: () => Promise<void>
}

/** Finds the payment provider that is set or, where none is, starts the built-in sandbox at a port. */
export async function shareProvider(config: Config): Promise<SharedProvider> {
  const secret = secretOf(config)
  const { paymentProviderUrl: url } = config
  if (url !== undefined) return { url, secret, close: async () => {} }
  const sandbox = await startSandbox({ port: 0, ...sandboxOptions(config, secret) })
  return { url: sandbox.url, secret, close: sandbox.close }
}

const secretOf = ({ paymentProviderSecret }: Config): string =>
  paymentProviderSecret ?? randomBytes(32).toString('base64url')

function sandboxOptions({ database }: Config, secret: string): SandboxOptions {
  const file = chargesFileOf(database)
  if (file === undefined) return { secret }
  makeFolder(dirname(file))
  makeDefaultFolderPrivate(dirname(file))
  return { secret, file }
}

/** Where the sandbox keeps its charges, so that they are as lasting as the payments that name them. */
function chargesFileOf({ kind, url, file }: DatabaseAddress): string | undefined {
  if (kind === 'sqlite') return file === undefined ? undefined : `${file}.charges`
  const name = new URL(url).pathname.replaceAll(/[^\w.-]/g, '') || 'postgres'
  return resolve('data', `${name}.charges`)
}
