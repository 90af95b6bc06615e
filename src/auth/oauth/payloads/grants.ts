import type { Payload } from 'oidc-provider'
import { findClient } from '#auth/oauth/store.ts'
import { artefactsOf, type Keeping } from './adapter.ts'

interface Granting {
  readonly openid?: { readonly scope?: string }
  readonly resources?: Readonly<Record<string, string>>
}

/**
 * Keeps the grants of the library, as its adapter. A grant never holds more than its client is
 * registered for at the moment, so that codes, refresh tokens and userinfo shrink with the client.
 */
export function grantsOf(keeping: Keeping) {
  const artefacts = artefactsOf('Grant', keeping)
  return {
    ...artefacts,
    find: async (id: string): Promise<Payload | undefined> => {
      const found = await artefacts.find(id)
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
  const { openid, resources } = grant as Granting
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
