import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { comparisons } from './clients.ts'
import { configurationOf, type Setup } from './configuration.ts'
import { type PasswordGrantDependencies, passwordGrant } from './endpoints/password-grant.ts'
import type { openResponseHooks } from './endpoints/response-hooks.ts'
import { issueTokensAlone } from './implicit.ts'
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
export interface EngineDependencies
  extends Omit<Setup, 'keys' | 'reused'>,
    PasswordGrantDependencies {
  readonly keys: KeyRing
  readonly responseHooks: ReturnType<typeof openResponseHooks>
  readonly report: (error: unknown) => void
}

/** Runs the library with the keys there are at the moment; started when it is first needed. */
export function openEngine(dependencies: EngineDependencies): () => Promise<Engine> {
  let running: { readonly mark: string; readonly engine: Engine } | undefined
  return async () => {
    const [library, keys] = await Promise.all([loadLibrary(), dependencies.keys.all()])
    const mark = keys.map(({ kid }) => kid).join()
    if (running?.mark !== mark)
      running = { mark, engine: start(library, { ...dependencies, keys }) }
    return running.engine
  }
}

function start(
  library: Library,
  dependencies: Omit<EngineDependencies, 'keys'> & Pick<Setup, 'keys'>,
): Engine {
  const { errors } = library
  const reused = () => new errors.InvalidGrant()
  const provider = new library.Provider(
    dependencies.issuer,
    configurationOf(library, { ...dependencies, reused }),
  )
  // The request that it is given says of its origin what is so.
  provider.proxy = true
  Object.assign(provider.Client.prototype, comparisons)
  issueTokensAlone(provider)
  passwordGrant(provider, library, dependencies)
  provider.on('server_error', dependencies.responseHooks.note)
  provider.on('error', dependencies.report)
  provider.use(dependencies.responseHooks.representationOptions)
  return { provider, library, answer: provider.callback() }
}
