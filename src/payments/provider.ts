/** One attempt to take money as the provider tells it: `amountMinor` in minor units, `sequence` grows by one with each change of it. */
export interface Charge {
  readonly key: string
  readonly status: 'succeeded' | 'pending' | 'declined' | 'voided' | 'refunded'
  readonly reference: string
  readonly amountMinor: number
  readonly currency: string
  readonly sequence: number
  readonly reason?: string
}

/** What is known after asking: a charge that was checked to be the one asked about, or nothing, in which case money may or may not have moved. */
export type ProviderOutcome =
  | { readonly kind: 'answered'; readonly charge: Charge }
  | { readonly kind: 'unknown'; readonly because: 'timeout' | 'unreachable' | 'garbage' }

/** As ProviderOutcome, or the provider's word that it has not seen the key: a request still under way may yet reach it, so only a void rules a charge out. */
export type ProviderLookup = ProviderOutcome | { readonly kind: 'absent' }

/** What a charge is asked for with: `key` is ours and names the attempt for good, `amountMinor` is in minor units. */
export interface ChargeRequest {
  readonly key: string
  readonly token: string
  readonly amountMinor: number
  readonly currency: string
  readonly callbackUrl: string
}

/** Takes and returns money; no method throws, and each may be repeated with the same key without a second effect. */
export interface PaymentProvider {
  readonly name: string
  /** The lower-case request header that carries the signature of a callback. */
  readonly signatureHeader: string
  /** Charges once per key; repeated, it answers the charge that the key already has. */
  charge(request: ChargeRequest): Promise<ProviderOutcome>
  /** Answers the charge of a key as it stands now. */
  find(key: string): Promise<ProviderLookup>
  /** Closes a key: once it answers `voided`, not even a request under way can charge it; what was settled before is answered as it stands. A key that was never charged has amount 0 and currency `XXX` then. */
  void(key: string): Promise<ProviderOutcome>
  /** Returns the whole amount of a succeeded charge and answers `refunded`; a charge of any other status is answered as it stands. */
  refund(key: string): Promise<ProviderLookup>
  /** Answers the charge that a callback tells of, or undefined where it is not authentic, malformed or more than five minutes from `now` (milliseconds UTC). */
  verifyCallback(body: Buffer, signature: string | undefined, now: number): Charge | undefined
  /** Drops every connection; calls under way end as `unreachable`. */
  close(): Promise<void>
}
