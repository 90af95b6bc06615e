import { type StreamOptions, streamEvents } from './event-stream.ts'
import type { paths } from './openapi.ts'
import { call, parse, type Reply, type Resource } from './resource.ts'
import {
  type AnswerOf,
  type BodyOf,
  collections,
  type QueryOf,
  type Route,
  type Schemas,
} from './routes.ts'
import {
  type CallOptions,
  type Session,
  type ShopOptions,
  type ShopRequest,
  sessionOf,
  Transport,
} from './transport.ts'

type ItemOf<P extends string> = Exclude<
  Extract<keyof paths, `${P}/{${string}}`>,
  `${string}}/${string}`
>
type IfRoute<R extends string, F> = R extends Route ? F : unknown
type ReplyTo<R> = R extends Route ? Reply<AnswerOf<R>> : never

/** The functions of a collection, as far as the API has them. */
type Collection<P extends string> = IfRoute<
  `GET ${P}`,
  { list(query?: QueryOf<`GET ${P}` & Route>, options?: CallOptions): ReplyTo<`GET ${P}`> }
> &
  IfRoute<
    `POST ${P}`,
    { create(body: BodyOf<`POST ${P}` & Route>, options?: CallOptions): ReplyTo<`POST ${P}`> }
  > &
  IfRoute<
    `GET ${ItemOf<P>}`,
    {
      get(
        id: string | number,
        query?: QueryOf<`GET ${ItemOf<P>}` & Route>,
        options?: CallOptions,
      ): ReplyTo<`GET ${ItemOf<P>}`>
    }
  >

type Collections = { readonly [C in keyof typeof collections]: Collection<(typeof collections)[C]> }

/** A shop, as this caller may use it. */
export type Shop = Collections & {
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
  const groups = Object.entries(collections).map(([name, path]) => [
    name,
    collectionAt(transport, path),
  ])
  const { events, ...others } = Object.fromEntries(groups)
  const shop = {
    ...others,
    events: { ...events, stream: (stream?: StreamOptions) => streamEvents(transport, stream) },
    cart: {
      get: (options?: CallOptions) => call(transport, 'GET', '/cart', undefined, options),
      add: (body: unknown, options?: CallOptions) =>
        call(transport, 'POST', '/cart', body, options),
    },
    guests: { start: (body = {}) => signIn('/guests', body) },
    entry: () => request({ method: 'GET', path: '/' }),
    profile: () => request({ method: 'GET', path: '/profile' }),
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

const collectionAt = (transport: Transport, path: string) => ({
  list: (query?: object, options?: CallOptions) => call(transport, 'GET', path, query, options),
  create: (body: unknown, options?: CallOptions) => call(transport, 'POST', path, body, options),
  get: (id: string | number, query?: object, options?: CallOptions) =>
    call(transport, 'GET', `${path}/${encodeURIComponent(id)}`, query, options),
})
