import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Servers that do not answer as a provider does. */
export interface UnhelpfulServers {
  readonly urlOf: (server: 'nowhere' | 'silent' | 'garbage') => string
  readonly close: () => Promise<void>
}

/** Starts a server that never answers, and one that answers with nonsense. */
export async function startUnhelpfulServers(): Promise<UnhelpfulServers> {
  const silent = createServer(() => undefined)
  const garbage = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
  })
  const servers = [silent, garbage]
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const urlAt = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = { nowhere: 'http://127.0.0.1:1', silent: urlAt(silent), garbage: urlAt(garbage) }
  return {
    urlOf: (server) => urls[server],
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        await once(server.close(), 'close')
      }
    },
  }
}
