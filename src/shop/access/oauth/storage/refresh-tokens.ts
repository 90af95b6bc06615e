import type { Payload } from 'oidc-provider'
import type { Library } from '#shop/access/oauth/library.ts'
import { isRepeat } from '#shop/access/sessions/rules.ts'
import { type AdapterOptions, hashId, payloadAdapter } from './adapter.ts'
import { consumePayload } from './store.ts'
import { oauthArtefacts } from './table.ts'

/**
 * The oidc-provider adapter of refresh tokens. One that is repeated by a client that did not get the
 * answer renews its grant once more; any other second use revokes the grant.
 */
export function refreshTokenAdapter({ Provider }: Library, options: AdapterOptions) {
  const { db, clock } = options
  const kind = 'RefreshToken'
  const tokens = payloadAdapter(kind, options)
  const address = () => Provider.ctx?.ip ?? null
  const isRepeated = async (id: string): Promise<boolean> => {
    const row = await oauthArtefacts.find(db, { kind, id_hash: hashId(id) })
    if (!row) return false
    const use = { used_at: row.consumed_at, address: row.consumed_address }
    return isRepeat(use, address(), clock())
  }
  return {
    ...tokens,
    find: async (id: string): Promise<Payload | undefined> => {
      const token = await tokens.find(id)
      if (token?.consumed === undefined || !(await isRepeated(id))) return token
      // oidc-provider rejects a token that is consumed.
      const { consumed: _, ...unused } = token
      return unused as Payload
    },
    consume: async (id: string): Promise<void> => {
      const use = { kind, hash: hashId(id), now: clock(), address: address() }
      if ((await consumePayload(db, use)) || (await isRepeated(id))) return
      await tokens.consume(id)
    },
  }
}
