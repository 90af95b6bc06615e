import type { Payload } from 'oidc-provider'
import { consoleClientId } from '#shop/access/oauth/console-client.ts'
import { findClient } from '#shop/access/oauth/store.ts'
import { type AdapterOptions, payloadAdapter } from './adapter.ts'

/**
 * The oidc-provider adapter of grants. A grant that is read contains only scopes that its client is
 * registered for now, so codes, refresh tokens and userinfo lose a scope when the client does.
 */
export function grantAdapter(options: AdapterOptions) {
  const payloads = payloadAdapter('Grant', options)
  return {
    ...payloads,
    find: async (id: string): Promise<Payload | undefined> => {
      const grant = await payloads.find(id)
      if (grant?.clientId === undefined || grant.clientId === consoleClientId) return grant
      const client = await findClient(options.db, grant.clientId)
      return client && restrictScopes(grant, client.scope.split(' '))
    },
  }
}

function restrictScopes(grant: Payload, registered: readonly string[]): Payload {
  const restrict = (scope = '') =>
    scope
      .split(' ')
      .filter((each) => registered.includes(each))
      .join(' ')
  const { openid, resources } = grant
  return {
    ...grant,
    ...(openid === undefined ? {} : { openid: { ...openid, scope: restrict(openid.scope) } }),
    ...(resources === undefined
      ? {}
      : {
          resources: Object.fromEntries(
            Object.entries(resources).map(([name, scope]) => [name, restrict(scope)]),
          ),
        }),
  }
}
