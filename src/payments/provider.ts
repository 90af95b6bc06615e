/**
 * A charge at the provider; `amountMinor` is in minor units, `sequence` grows by one with each
 * change.
 */
export interface Charge {
  readonly key: string
  readonly status: 'succeeded' | 'pending' | 'declined' | 'voided' | 'refunded'
  readonly reference: string
  readonly amountMinor: number
  readonly currency: string
  readonly sequence: number
  readonly reason?: string
}

/**
 * The outcome of a request: the charge asked about, or `unknown`, when money may or may not have
 * moved.
 */
export type ProviderOutcome =
  | { readonly kind: 'answered'; readonly charge: Charge }
  | { readonly kind: 'unknown'; readonly because: 'timeout' | 'unreachable' | 'garbage' }

/**
 * A `ProviderOutcome`, or `absent` when the provider does not know the key; a request in flight may
 * still reach it, so only a void rules a charge out.
 */
export type ProviderLookup = ProviderOutcome | { readonly kind: 'absent' }

/**
 * The parameters of a charge: `key` identifies the attempt permanently, `amountMinor` is in minor
 * units.
 */
export interface ChargeRequest {
  readonly key: string
  readonly token: string
  readonly amountMinor: number
  readonly currency: string
  readonly callbackUrl: string
}

/** A payment provider; no method throws, and each is idempotent per key. */
export interface PaymentProvider {
  readonly name: string
  /** The lower-case request header that carries the signature of a callback. */
  readonly signatureHeader: string
  /** Charges once per key; a repeated call returns the existing charge. */
  charge(request: ChargeRequest): Promise<ProviderOutcome>
  /** Returns the current state of a charge. */
  find(key: string): Promise<ProviderLookup>
  /**
   * Voids a key: once `voided` is returned, not even a request in flight can charge it; a settled
   * charge is returned unchanged. A key that was never charged has amount 0 and currency `XXX`.
   */
  void(key: string): Promise<ProviderOutcome>
  /** Refunds a succeeded charge in full; any other is returned unchanged. */
  refund(key: string): Promise<ProviderLookup>
  /**
   * Parses a callback; undefined when it is malformed, not authentic or more than five minutes from
   * `now` (milliseconds UTC).
   */
  verifyCallback(body: Buffer, signature: string | undefined, now: number): Charge | undefined
  /** Closes all connections; calls in flight end as `unreachable`. */
  close(): Promise<void>
}
