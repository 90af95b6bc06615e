import { type Collections, collections } from './collections.ts'
import { type StreamOptions, streamEvents } from './event-stream.ts'
import type { Call, Resource, Route, Schemas } from './resource.ts'

import { type Session, type ShopOptions, type ShopRequest, Transport } from './transport.ts'

/** A shop, as this caller may use it. */
export interface Shop extends Collections {
  /** The tokens in use; undefined for nobody. */
  readonly session: Session | undefined
  /** Reads the root, whose links lead to every resource the caller may use. */
  readonly entry: Call<'GET /'>
  /** Reads the user who is calling. */
  readonly profile: Call<'GET /profile'>
  /** Signs in. `guest_token`, the token of a guest, merges its cart and orders into the account. */
  login(body: Schemas['PasswordLogin']): Promise<Resource<Schemas['Login']>>
  /** Ends the session. */
  logout(): Promise<void>
  readonly cart: {
    readonly get: Call<'GET /cart'>
    /** Adds pieces of a product; to those that are in the cart already. */
    readonly add: Call<'POST /cart'>
  }
  readonly guests: {
    /** Starts a session of a guest, who can buy without an account. */
    start(body?: Schemas['NewGuest']): Promise<Resource<Schemas['Guest']>>
  }
  readonly events: Collections['events'] & {
    /** Yields events as they happen. */
    stream(options?: StreamOptions): AsyncGenerator<Schemas['Event']>
  }
  /** Sends any request with the credentials, keys and retries of this shop. Files and forms are sent as they are. */
  request<T = unknown>(request: ShopRequest): Promise<T>
}

/** Opens the shop at a URL, or at a path of the page's own origin. Sends nothing yet. */
export function openShop(baseUrl: string, options: ShopOptions = {}): Shop {
  const transport = new Transport(baseUrl, options)
  const call = transport.call.bind(transport)
  const signIn = async (path: string, body: object) => {
    const answer = await transport.call<Session>('POST', path, body)
    transport.keep(answer)
    return answer
  }
  const collectionAt = (path: string) => ({
    list: call.bind(undefined, 'GET', path),
    create: call.bind(undefined, 'POST', path),
    get: (id: string | number, ...rest: Parameters<Call<Route>>) =>
      call('GET', `${path}/${encodeURIComponent(id)}`, ...rest),
  })
  const groups = Object.entries(collections).map(([name, path]) => [name, collectionAt(path)])
  const shop = {
    ...Object.fromEntries(groups),
    events: { ...collectionAt('/events'), stream: streamEvents.bind(undefined, transport) },
    cart: { get: call.bind(undefined, 'GET', '/cart'), add: call.bind(undefined, 'POST', '/cart') },
    guests: { start: (body = {}) => signIn('/guests', body) },
    entry: call.bind(undefined, 'GET', '/'),
    profile: call.bind(undefined, 'GET', '/profile'),
    login: (body: object) => signIn('/login', body),
    logout: async () => {
      const path = transport.session?._links.logout?.href
      if (path !== undefined) await call('DELETE', path)
      transport.keep(undefined)
    },
    request: transport.send.bind(transport),
    get session() {
      return transport.session
    },
  }
  // Requests know no types: the declaration of `Shop` gives each answer its own.
  return shop as unknown as Shop
}
