import { randomBytes } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { httpProvider } from '#resources/payments/http-provider.ts'
import type { PaymentProvider } from '#resources/payments/provider.ts'
import type { Config } from '#src/config.ts'
import { startSandbox } from '#src/sandbox/server.ts'
import type { DatabaseAddress } from '#src/settings.ts'
import { makeFolder } from '#store/folder.ts'

/** Where a payment provider is, and what is shared with it. */
export interface ProviderAddress {
  readonly url: string
  readonly secret: string
  readonly isBuiltIn: boolean
  /** Stops the built-in one; nothing for any other. */
  readonly close: () => Promise<void>
}

/** Finds the payment provider that is set or, where none is, starts the built-in sandbox. */
export async function findProvider(config: Config): Promise<ProviderAddress> {
  const secret = config.paymentProviderSecret ?? randomBytes(32).toString('base64url')
  if (config.paymentProviderUrl !== undefined) {
    return { url: config.paymentProviderUrl, secret, isBuiltIn: false, close: async () => {} }
  }
  const file = chargesFileOf(config.database)
  if (file !== undefined) makeFolder(dirname(file))
  const sandbox = await startSandbox({ port: 0, secret, ...(file !== undefined && { file }) })
  return { url: sandbox.url, secret, isBuiltIn: true, close: sandbox.close }
}

/** The provider at an address, which may take `timeoutMs` to answer. */
export const connectProvider = (
  { url, secret }: ProviderAddress,
  timeoutMs: number,
): PaymentProvider => httpProvider({ baseUrl: url, secret, timeoutMs, name: 'sandbox' })

/** Where the sandbox keeps its charges, so that they are as lasting as the payments that name them. */
function chargesFileOf({ kind, url, file }: DatabaseAddress): string | undefined {
  if (kind === 'sqlite') return file === undefined ? undefined : `${file}.charges`
  const name = new URL(url).pathname.replaceAll(/[^\w.-]/g, '') || 'postgres'
  return resolve('data', `${name}.charges`)
}
