import type { Provider } from 'oidc-provider'

/** What is used of the library. */
export type Library = typeof import('oidc-provider') & {
  /** Lets clients that are registered for it ask for an access token alone (RFC 6749 4.2). */
  readonly allowTokenAlone: (provider: Provider) => void
}

let loading: Promise<Library> | undefined

/**
 * The library, loaded when it is first needed: it costs 50 MB of memory and a quarter of a second,
 * which a shop without OAuth clients never pays.
 */
export function loadLibrary(): Promise<Library> {
  loading ??= withoutAdvice(load)
  return loading
}

async function load(): Promise<Library> {
  const library = await import('oidc-provider')
  // The library can do it, but takes no setting for it: what it supports is a list inside.
  const { get: insideOf } = await import('oidc-provider/lib/helpers/weak_cache.js')
  const allowTokenAlone = (provider: Provider) => {
    insideOf(provider).configuration.responseTypes.push('token')
  }
  return { ...library, allowTokenAlone }
}

/** The library advises, on the console, against any Node that is not yet a long-term release. */
async function withoutAdvice<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('Unsupported runtime')) warn(...said)
  }
  try {
    return await load()
  } finally {
    console.warn = warn
  }
}
