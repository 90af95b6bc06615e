import type { Instant } from '#values/instant.ts'

/** Grants of one user to one client that hold the same scopes. */
export interface Grants {
  /** Separated by spaces; null where it is not known any more. */
  readonly granted_scope: string | null
  readonly count: number
  readonly expires_at: Instant
}

/** What of a consent follows from the grants that stand. */
export interface ConsentState {
  readonly scopes: readonly string[]
  readonly grants: number
  readonly expires_at: Instant
}

const scopesIn = ({ granted_scope }: Grants): readonly string[] =>
  granted_scope?.split(' ').filter((scope) => scope !== '') ?? []

/** A consent and what its grants together come to; without any, it is over. */
export const withGrants = <C extends { readonly expires_at: Instant }>(
  consent: C,
  grants: readonly Grants[],
): C & ConsentState => ({
  ...consent,
  scopes: [...new Set(grants.flatMap(scopesIn))].sort(),
  grants: grants.reduce((sum, { count }) => sum + count, 0),
  expires_at:
    grants.length === 0
      ? consent.expires_at
      : Math.max(...grants.map(({ expires_at }) => expires_at)),
})

/** A consent as it is told. */
export const presentConsent = <
  C extends { readonly client_id: string; readonly client_name: string },
>({
  client_id,
  client_name,
  ...consent
}: C) => ({ ...consent, client: { client_id, name: client_name } })
