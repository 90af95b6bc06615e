import type { ProviderClient } from '#shop/providers/http/provider-client.ts'
import type { Decision } from '#shop/providers/sandbox/request-bodies.ts'

/** What the page of a payment shows; `amountMinor` is in minor units. */
export interface Challenge {
  readonly status: string
  readonly amountMinor: number
  readonly currency: string
  /** Where the browser goes afterwards. */
  readonly returnUrl: string | undefined
}

/** The result of a request for a challenge: `unavailable` when the sandbox did not answer. */
export type ChallengeResult = Challenge | 'unknown' | 'unavailable'

const pathOf = (secret: string): string => `/challenges/${secret}`

/** Reads the challenge of a secret. */
export const readChallenge = async (
  client: ProviderClient,
  secret: string,
): Promise<ChallengeResult> => parseReply(await client.send('GET', pathOf(secret)))

/** Decides the challenge of a secret; one that is decided stays as it is. */
export const decideChallenge = async (
  client: ProviderClient,
  secret: string,
  decision: Decision,
): Promise<ChallengeResult> =>
  parseReply(await client.send('PUT', pathOf(secret), JSON.stringify({ decision })))

function parseReply(reply: Awaited<ReturnType<ProviderClient['send']>>): ChallengeResult {
  if (reply.kind === 'unknown') return 'unavailable'
  if (reply.status === 404) return 'unknown'
  if (reply.status !== 200) return 'unavailable'
  const { status, amount_minor, currency, return_url } = JSON.parse(reply.text) as {
    readonly status: string
    readonly amount_minor: number
    readonly currency: string
    readonly return_url: string | null
  }
  return { status, amountMinor: amount_minor, currency, returnUrl: return_url ?? undefined }
}
