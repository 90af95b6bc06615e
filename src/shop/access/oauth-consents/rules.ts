import type { Instant } from '#values/instant.ts'

/** The grants of one user to one client that have the same scopes. */
export interface GrantGroup {
  /** Scopes separated by spaces; null when unknown. */
  readonly granted_scope: string | null
  readonly count: number
  readonly expires_at: Instant
}

/** What a consent derives from its unexpired grants. */
export interface ConsentState {
  readonly scopes: readonly string[]
  /** The number of grants; a consent without any has ended. */
  readonly grants: number
  readonly expires_at: Instant
}

const scopesIn = ({ granted_scope }: GrantGroup): readonly string[] =>
  granted_scope?.split(' ').filter((scope) => scope !== '') ?? []

/** Adds to a consent the union of its grants. */
export const withGrants = <C extends { readonly expires_at: Instant }>(
  consent: C,
  grants: readonly GrantGroup[],
): C & ConsentState => ({
  ...consent,
  scopes: [...new Set(grants.flatMap(scopesIn))].sort(),
  grants: grants.reduce((sum, { count }) => sum + count, 0),
  expires_at:
    grants.length === 0
      ? consent.expires_at
      : Math.max(...grants.map(({ expires_at }) => expires_at)),
})

/** Returns the public fields of a consent. */
export const presentConsent = <
  C extends { readonly client_id: string; readonly client_name: string },
>({
  client_id,
  client_name,
  ...consent
}: C) => ({ ...consent, client: { client_id, name: client_name } })
