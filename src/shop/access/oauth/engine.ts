import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { clientMethods } from './clients.ts'
import { type ProviderOptions, providerConfiguration } from './configuration.ts'
import { type PasswordGrantParts, registerPasswordGrant } from './endpoints/password-grant.ts'
import { createResponseHooks, type ResponseHookParts } from './endpoints/response-hooks.ts'
import { enableTokenResponseType } from './implicit.ts'
import type { KeyRing } from './keys/key-ring.ts'
import { type Library, loadLibrary } from './library.ts'

/** A configured oidc-provider. */
export interface Engine {
  readonly provider: Provider
  readonly library: Library
  /** Handles a request; resolves once the response is complete. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** What oidc-provider is run with. */
export interface EngineParts
  extends Omit<ProviderOptions, 'keys' | 'reuseError'>,
    PasswordGrantParts,
    ResponseHookParts {
  readonly keys: KeyRing
}

/**
 * Returns a function that resolves to oidc-provider with the current signing keys. It is loaded on
 * the first call and rebuilt when the keys change.
 */
export function createEngineLoader(parts: EngineParts): () => Promise<Engine> {
  let current: { readonly keyIds: string; readonly engine: Engine } | undefined
  return async () => {
    const [library, keys] = await Promise.all([loadLibrary(), parts.keys.all()])
    const keyIds = keys.map(({ kid }) => kid).join()
    if (current?.keyIds !== keyIds)
      current = { keyIds, engine: createEngine(library, { ...parts, keys }) }
    return current.engine
  }
}

function createEngine(
  library: Library,
  parts: Omit<EngineParts, 'keys'> & Pick<ProviderOptions, 'keys'>,
): Engine {
  const { issuer, report } = parts
  const reuseError = () => new library.errors.InvalidGrant()
  const configuration = providerConfiguration(library, { ...parts, reuseError })
  const provider = new library.Provider(issuer, configuration)
  // Every request that it gets has X-Forwarded-* fields set by this server.
  provider.proxy = true
  Object.assign(provider.Client.prototype, clientMethods)
  enableTokenResponseType(provider)
  registerPasswordGrant(provider, library, parts)
  const { handleServerError, middleware } = createResponseHooks(parts)
  provider.on('server_error', handleServerError)
  provider.on('error', report)
  provider.use(middleware)
  return { provider, library, handle: provider.callback() }
}
