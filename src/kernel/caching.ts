import { type Stage, withHeaders } from './exchange.ts'
import { unstored } from './policy.ts'

/** States how long the answer may be reused; answers to writes are kept by nobody. */
export const cachingStage: Stage = {
  name: 'caching',
  prepare({ cache = unstored, access }) {
    // What is shown, and the links with it, is another for another caller.
    const vary = access.kind === 'open' ? undefined : { vary: 'Authorization' }
    return {
      says: { everyHeaders: vary ? ['Cache-Control', 'Vary'] : ['Cache-Control'] },
      step: async ({ actor }, next) => {
        const answer = await next()
        const reusable = answer.status < 400
        const allowed = actor.role === null ? cache.anonymous : cache.known
        const control = { 'cache-control': reusable ? allowed : 'no-store' }
        return withHeaders(answer, { ...control, ...vary })
      },
    }
  },
}
