import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { comparisons } from './clients.ts'
import { configurationOf, type Setup } from './configuration.ts'
import { type PasswordGround, passwordGrant } from './endpoints/password-grant.ts'
import type { openDressing } from './endpoints/response-hooks.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { type Library, loadLibrary } from './library.ts'

/** The library, set up and running. */
export interface Engine {
  readonly provider: Provider
  readonly library: Library
  /** Answers a request; resolves once the answer has been made. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** What the library is run with. */
export interface EngineGround extends Omit<Setup, 'keys' | 'reused'>, PasswordGround {
  readonly keys: KeyRing
  readonly dressing: ReturnType<typeof openDressing>
  readonly report: (error: unknown) => void
}

/** Runs the library with the keys there are at the moment; started when it is first needed. */
export function openEngine(ground: EngineGround): () => Promise<Engine> {
  let running: { readonly mark: string; readonly engine: Engine } | undefined
  return async () => {
    const [library, keys] = await Promise.all([loadLibrary(), ground.keys.all()])
    const mark = keys.map(({ kid }) => kid).join()
    if (running?.mark !== mark) running = { mark, engine: start(library, { ...ground, keys }) }
    return running.engine
  }
}

function start(library: Library, ground: Omit<EngineGround, 'keys'> & Pick<Setup, 'keys'>): Engine {
  const { errors } = library
  const reused = () => new errors.InvalidGrant()
  const provider = new library.Provider(
    ground.issuer,
    configurationOf(library, { ...ground, reused }),
  )
  // The request that it is given says of its origin what is so.
  provider.proxy = true
  Object.assign(provider.Client.prototype, comparisons)
  library.allowTokenAlone(provider)
  passwordGrant(provider, library, ground)
  provider.on('server_error', ground.dressing.note)
  provider.on('error', ground.report)
  provider.use(ground.dressing.dress)
  return { provider, library, answer: provider.callback() }
}
