import type { Actor } from '#http/declare/actor.ts'

/** The scheme of API keys in `Authorization`. */
export const apiKeyScheme = 'api-key' as const

/** The ID of the API key of a caller; null for another credential. */
export const apiKeyIdOf = ({ credential }: Pick<Actor, 'credential'>): number | null =>
  credential?.scheme === apiKeyScheme ? Number(credential.id) : null
