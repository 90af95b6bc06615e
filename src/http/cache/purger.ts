import type { Change } from '#store/changes.ts'
import { type CacheKeyStyle, everything, formatKeys, keysOfChange } from './cache-keys.ts'

/** How a shared cache is told of changes. */
export interface PurgeOptions {
  readonly url: string
  readonly style: CacheKeyStyle
  readonly token?: string | undefined
  /** Called when the cache does not take a purge; it is sent again. */
  readonly onFailure: (error: unknown) => void
}

/** Changes of this time are sent together. */
const gatherMs = 50
/** A response that was read before a change may reach the cache after the first purge. */
const againMs = 1000
const retryMs = 1000
const timeoutMs = 5000
/** Caches take no more keys at once: Cloudflare 30, Fastly 256. */
const maxKeys = 30
/** Where more wait, for a cache that is slow or away, it is emptied by the key of every response. */
const maxWaiting = 1000

/** Purges the copies of a shared cache by the keys of what has changed. */
export class CachePurger {
  readonly #options: PurgeOptions
  readonly #waiting = new Set<string>()
  #isSending = false
  #timers = new Set<NodeJS.Timeout>()

  constructor(options: PurgeOptions) {
    this.#options = options
  }

  /** Purges what a change concerns, now and once more. */
  purge(change: Change): void {
    const keys = keysOfChange(change)
    this.#addIn(gatherMs, keys)
    this.#addIn(againMs, keys)
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #addIn(ms: number, keys: readonly string[]): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#add(keys)
      if (!this.#isSending) void this.#sendAll()
    }, ms).unref()
    this.#timers.add(timer)
  }

  #add(keys: readonly string[]): void {
    for (const key of keys) this.#waiting.add(key)
    if (this.#waiting.size <= maxWaiting) return
    this.#waiting.clear()
    this.#waiting.add(everything)
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.size > 0) {
      const keys = [...this.#waiting].slice(0, maxKeys)
      for (const key of keys) this.#waiting.delete(key)
      try {
        await this.#send(keys)
      } catch (error) {
        this.#options.onFailure(error)
        this.#addIn(retryMs, keys)
        break
      }
    }
    this.#isSending = false
  }

  async #send(keys: readonly string[]): Promise<void> {
    const { url, style, token } = this.#options
    const isTag = style === 'cache-tag'
    const credentials = isTag ? { authorization: `Bearer ${token}` } : { 'fastly-key': `${token}` }
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(token === undefined ? {} : credentials),
        ...(isTag
          ? { 'content-type': 'application/json' }
          : { 'surrogate-key': formatKeys(keys, style) }),
      },
      body: isTag ? JSON.stringify({ tags: keys }) : null,
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the cache answered ${answer.status} to a purge`)
  }
}
