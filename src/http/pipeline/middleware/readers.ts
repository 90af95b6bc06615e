import type { AuthenticatedExchange } from '#http/exchange/exchange.ts'
import type { Outcome } from '#http/exchange/response.ts'
import type { Middleware } from '#http/exchange/step.ts'
import { networkOf, siteOf } from '#http/message/client-network.ts'
import type { ReadReplica } from '#store/database.ts'
import type { ListReader } from '#store/list-reader.ts'

/** Reads from the replica where it has everything that was committed before the request. */
export const replicaMiddleware = (
  replica: ReadReplica | undefined,
): Middleware<AuthenticatedExchange, Pick<AuthenticatedExchange, 'ctx'>, Outcome> => ({
  name: 'read replica',
  prepare({ method, stream }) {
    if (!replica || method !== 'GET' || stream) return undefined
    return {
      fragment: {},
      run: async ({ ctx }, next) =>
        next({ ctx: (await replica.isCurrent()) ? { ...ctx, db: replica.db } : ctx }),
    }
  },
})

/** Reads a list on the threads of a large SQLite file, on which sites of networks take turns. */
export const listReaderMiddleware = (
  reader: ListReader | undefined,
): Middleware<AuthenticatedExchange, Pick<AuthenticatedExchange, 'ctx'>, Outcome> => ({
  name: 'list reader',
  prepare({ kind }) {
    if (!reader || kind !== 'list') return undefined
    return {
      fragment: {},
      run: ({ ctx, request }, next) => {
        const db = reader.db(siteOf(networkOf(request.ip)))
        return next({ ctx: db ? { ...ctx, db } : ctx })
      },
    }
  },
})
