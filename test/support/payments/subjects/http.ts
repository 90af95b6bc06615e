import type { OpenSubject } from '#provider-check/subject.ts'
import { httpProvider, providerOver } from '#shop/providers/http/http-provider.ts'
import { createProviderClient } from '#shop/providers/http/provider-client.ts'
import { startSandbox } from '#shop/providers/sandbox/server.ts'
import { chargesSubject } from './charges.ts'
import { startUnhelpfulServers } from './unhelpful-servers.ts'

const secret = 'what the provider of a check signs with'
// Long enough for a busy machine; only a silent server is waited for.
const [timeoutMs, silenceMs] = [10_000, 1_000]

/** A provider that is reached over HTTP. */
export const openSubject: OpenSubject = async () => {
  const sandbox = await startSandbox({ port: 0, secret, settleMs: 1_500 })
  const servers = await startUnhelpfulServers()
  const client = createProviderClient(sandbox.url, secret, timeoutMs)
  return chargesSubject({
    ...{ client, secret },
    open: (faulty) => providerOver(faulty, { secret, name: 'http' }),
    reach: (server) => {
      const baseUrl = servers.urlOf(server)
      return httpProvider({ baseUrl, secret, timeoutMs: silenceMs, name: 'http' })
    },
    close: async () => {
      await servers.close()
      await sandbox.close()
    },
  })
}
