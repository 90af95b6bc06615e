import type { Payload } from 'oidc-provider'
import { findClient } from '#auth/oauth/store.ts'
import { type AdapterOptions, payloadsOf } from './adapter.ts'

interface GrantPayload {
  readonly openid?: { readonly scope?: string }
  readonly resources?: Readonly<Record<string, string>>
}

/**
 * Keeps the grants of the library, as its adapter. A grant never holds more than its client is
 * registered for at the moment, so that codes, refresh tokens and userinfo shrink with the client.
 */
export function grantsOf(keeping: AdapterOptions) {
  const payloads = payloadsOf('Grant', keeping)
  return {
    ...payloads,
    find: async (id: string): Promise<Payload | undefined> => {
      const found = await payloads.find(id)
      if (found?.clientId === undefined) return found
      const client = await findClient(keeping.db, found.clientId)
      return client && narrowed(found, client.scope.split(' '))
    },
  }
}

function narrowed(grant: Payload, registered: readonly string[]): Payload {
  const within = (scope = '') =>
    scope
      .split(' ')
      .filter((each) => registered.includes(each))
      .join(' ')
  const { openid, resources } = grant as GrantPayload
  return {
    ...grant,
    ...(openid === undefined ? {} : { openid: { ...openid, scope: within(openid.scope) } }),
    ...(resources === undefined
      ? {}
      : {
          resources: Object.fromEntries(
            Object.entries(resources).map(([name, scope]) => [name, within(scope)]),
          ),
        }),
  }
}
