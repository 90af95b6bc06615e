import type { OpenSubject } from '#provider-check/subject.ts'
import { providerOver } from '#shop/providers/http/http-provider.ts'
import type { Respond } from '#shop/providers/sandbox/routes.ts'
import { createSandboxClient } from '#shop/providers/sandbox/sandbox-client.ts'
import { openSandbox } from '#shop/providers/sandbox/server.ts'
import { chargesSubject, type OpenProvider } from './charges.ts'

const secret = 'what the sandbox of a check signs with'
// Long enough for a busy machine; only a silent server is waited for.
const [timeoutMs, silenceMs] = [10_000, 1_000]

const open: OpenProvider = (client) => providerOver(client, { secret, name: 'sandbox' })

const servers: Readonly<Record<string, (respond: Respond) => void>> = {
  nowhere: (respond) => respond(undefined),
  silent: () => undefined,
  garbage: (respond) => respond({ status: 200, text: '<html>' }),
}

/** The built-in sandbox, in this process. */
export const openSubject: OpenSubject = async () => {
  const sandbox = openSandbox({ secret, settleMs: 1_500, pageUrl: 'http://localhost/pages' })
  const client = createSandboxClient(sandbox, timeoutMs)
  return chargesSubject({
    ...{ client, secret, open },
    reach: (server) => {
      const handle = (_: unknown, respond: Respond) => servers[server]?.(respond)
      return open(createSandboxClient({ handle }, silenceMs))
    },
    close: sandbox.close,
  })
}
