import { inTime } from '#values/deadline.ts'

/** Whose work it is; undefined for that of the server itself, which has no share. */
export type Owner = string | undefined

/** On which connections the statements and transactions of each owner are. */
export class ConnectionShares<Connection> {
  readonly #byOwner = new Map<string, Map<Connection, number>>()
  readonly #half: number
  readonly #most: number

  constructor(connections: number) {
    this.#half = Math.max(1, Math.floor(connections / 2))
    this.#most = connections - Math.max(1, Math.floor(connections / 5))
  }

  /** Counts a statement or a transaction of an owner; returns what ends it. */
  begin(owner: Owner, connection: Connection): () => void {
    if (owner === undefined) return () => undefined
    const own = this.#byOwner.get(owner) ?? new Map<Connection, number>()
    this.#byOwner.set(owner, own)
    own.set(connection, (own.get(connection) ?? 0) + 1)
    return () => {
      const left = (own.get(connection) ?? 1) - 1
      if (left > 0) own.set(connection, left)
      else own.delete(connection)
      if (own.size === 0) this.#byOwner.delete(owner)
    }
  }

  /** How many statements of an owner are on a connection. */
  on(connection: Connection, owner: Owner): number {
    return owner === undefined ? 0 : (this.#byOwner.get(owner)?.get(connection) ?? 0)
  }

  /**
   * Returns those of the connections that an owner may use: once it has half of all beside other owners, or
   * all but a fifth alone, those that it uses already.
   */
  open(connections: readonly Connection[], owner: Owner): readonly Connection[] {
    const own = owner === undefined ? undefined : this.#byOwner.get(owner)
    if (!own || own.size < (this.#byOwner.size > 1 ? this.#half : this.#most)) return connections
    const used = connections.filter((connection) => own.has(connection))
    return used.length > 0 ? used : connections
  }
}

interface Waiting {
  readonly owner: Owner
  readonly admit: () => void
  readonly refuse: (error: Error) => void
}

/** The places of transactions: beyond half of them, an owner leaves one to the others. */
export class TransactionPlaces {
  readonly #max: number
  readonly #held = new Map<Owner, number>()
  readonly #waiting: Waiting[] = []
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The number of transactions that wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Resolves once there is a place for the owner: those who have fewest come first. Throws 503/5031 once its
   * request has no time left.
   */
  async take(owner: Owner): Promise<void> {
    if (this.#mayTake(owner)) {
      this.#change(owner, 1)
      return
    }
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<void>()
    const waiting = { owner, admit, refuse }
    this.#waiting.push(waiting)
    await inTime(
      () => promise,
      () => this.#remove(waiting),
    )
  }

  /** Rejects all that wait with this error. */
  refuse(error: Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(error)
  }

  /** Gives the place of an owner to the next one that waits. */
  leave(owner: Owner): void {
    this.#change(owner, -1)
    const [first, ...others] = this.#waiting.filter((each) => this.#mayTake(each.owner))
    if (!first) return
    const next = others.reduce(
      (found, each) => (this.#heldBy(each.owner) < this.#heldBy(found.owner) ? each : found),
      first,
    )
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#change(next.owner, 1)
    next.admit()
  }

  #remove(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting)
    if (at !== -1) this.#waiting.splice(at, 1)
  }

  #mayTake(owner: Owner): boolean {
    const hasHalf = this.#heldBy(owner) >= Math.max(1, Math.floor(this.#max / 2))
    return this.#taken < (owner !== undefined && hasHalf ? this.#max - 1 : this.#max)
  }

  #heldBy(owner: Owner): number {
    return this.#held.get(owner) ?? 0
  }

  #change(owner: Owner, change: 1 | -1): void {
    const held = this.#heldBy(owner) + change
    if (held === 0) this.#held.delete(owner)
    else this.#held.set(owner, held)
    this.#taken += change
  }
}
