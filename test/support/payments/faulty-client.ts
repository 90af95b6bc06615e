import type { ProviderClient } from '#shop/providers/http/provider-client.ts'

/** When an answer is lost: before the request arrived, or after it took effect. */
export type Loss = 'before' | 'after'

/** A client whose answers can be lost. */
export interface FaultyClient extends ProviderClient {
  /** Loses the answers of the next `count` requests of a method and path. */
  readonly lose: (method: string, path: RegExp, loss: Loss, count?: number) => void
}

interface Fault {
  readonly method: string
  readonly path: RegExp
  readonly loss: Loss
  left: number
}

/** Returns a client that passes requests on, except those whose answers are to be lost. */
export function createFaultyClient(client: ProviderClient): FaultyClient {
  const faults: Fault[] = []
  return {
    lose: (method, path, loss, count = 1) => {
      faults.push({ method, path, loss, left: count })
    },
    send: async (method, path, body) => {
      const fault = faults.find(
        (each) => each.left > 0 && each.method === method && each.path.test(path),
      )
      if (!fault) return client.send(method, path, body)
      fault.left -= 1
      if (fault.loss === 'after') await client.send(method, path, body)
      return { kind: 'unknown', because: 'timeout' }
    },
    close: client.close,
  }
}
