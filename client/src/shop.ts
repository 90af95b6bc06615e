import { type StreamOptions, streamEvents } from './event-stream.ts'
import { call, parse } from './resource.ts'
import { collections } from './routes.ts'
import {
  type Session,
  type ShopOptions,
  type ShopRequest,
  sessionOf,
  Transport,
} from './transport.ts'
import type { Call, CallOptions, Resource, Route, Schemas } from './types.ts'

/** The functions of a collection, as far as the API has them. */
type Collection<C> = (C extends { readonly list: infer R extends Route }
  ? { readonly list: Call<R> }
  : unknown) &
  (C extends { readonly create: infer R extends Route } ? { readonly create: Call<R> } : unknown) &
  (C extends { readonly get: infer R extends Route }
    ? { get(id: string | number, ...rest: Parameters<Call<R>>): ReturnType<Call<R>> }
    : unknown)

/** A shop, as this caller may use it. */
export type Shop = {
  readonly [C in keyof typeof collections]: Collection<(typeof collections)[C]>
} & {
  /** The tokens in use; undefined for nobody. */
  readonly session: Session | undefined
  /** Reads the root, whose links lead to every resource the caller may use. */
  entry(): Promise<Resource<Schemas['Entry']>>
  /** Reads the user who is calling. */
  profile(): Promise<Resource<Schemas['Profile']>>
  /** Signs in. `guest_token`, the token of a guest, merges its cart and orders into the account. */
  login(body: Schemas['PasswordLogin']): Promise<Resource<Schemas['Login']>>
  /** Ends the session. */
  logout(): Promise<void>
  readonly cart: {
    get(options?: CallOptions): Promise<Resource<Schemas['Cart']>>
    /** Adds pieces of a product; to those that are in the cart already. */
    add(body: Schemas['NewCartItem'], options?: CallOptions): Promise<Resource<Schemas['CartItem']>>
  }
  readonly guests: {
    /** Starts a session of a guest, who can buy without an account. */
    start(body?: Schemas['NewGuest']): Promise<Resource<Schemas['Guest']>>
  }
  readonly events: {
    /** Yields events as they happen. */
    stream(options?: StreamOptions): AsyncGenerator<Schemas['Event']>
  }
  /** Sends any request with the credentials, keys and retries of this shop. Files and forms are sent as they are. */
  request<T = unknown>(request: ShopRequest): Promise<T>
}

/** Opens the shop at a URL, or at a path of the page's own origin. Sends nothing yet. */
export function openShop(baseUrl: string, options: ShopOptions = {}): Shop {
  const transport = new Transport(baseUrl, options)
  const request = async (sent: ShopRequest): Promise<unknown> =>
    parse(await transport.send(sent), transport)
  const signIn = async (path: string, body: unknown) => {
    const answer = await request({ method: 'POST', path, body })
    transport.keep(sessionOf(answer as Schemas['Login']))
    return answer
  }
  const collectionAt = (path: string) => ({
    list: (query?: object, called?: CallOptions) => call(transport, 'GET', path, query, called),
    create: (body: unknown, called?: CallOptions) => call(transport, 'POST', path, body, called),
    get: (id: string | number, query?: object, called?: CallOptions) =>
      call(transport, 'GET', `${path}/${encodeURIComponent(id)}`, query, called),
  })
  const groups = Object.entries(collections).map(([name, { path }]) => [name, collectionAt(path)])
  const shop = {
    ...Object.fromEntries(groups),
    events: {
      ...collectionAt('/events'),
      stream: (stream?: StreamOptions) => streamEvents(transport, stream),
    },
    cart: {
      get: (called?: CallOptions) => call(transport, 'GET', '/cart', undefined, called),
      add: (body: unknown, called?: CallOptions) => call(transport, 'POST', '/cart', body, called),
    },
    guests: { start: (body = {}) => signIn('/guests', body) },
    entry: () => call(transport, 'GET', '/'),
    profile: () => call(transport, 'GET', '/profile'),
    login: (body: unknown) => signIn('/login', body),
    logout: async () => {
      const path = transport.session?.logout
      if (path !== undefined) await request({ method: 'DELETE', path })
      transport.keep(undefined)
    },
    request,
    get session() {
      return transport.session
    },
  }
  // Requests know no types: the declaration of `Shop` gives each answer its own.
  return shop as unknown as Shop
}
