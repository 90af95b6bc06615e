import { type Stage, withHeaders } from './exchange.ts'
import { unstored } from './policy.ts'

/** States how long the answer may be reused; answers to writes are kept by nobody. */
export const cachingStage: Stage = {
  name: 'caching',
  prepare({ cache = unstored }) {
    return {
      says: { everyHeaders: ['Cache-Control'] },
      step: async ({ actor }, next) => {
        const answer = await next()
        const reusable = answer.status < 400
        const allowed = actor.role === null ? cache.anonymous : cache.known
        return withHeaders(answer, { 'cache-control': reusable ? allowed : 'no-store' })
      },
    }
  },
}
