/** What is used of oidc-provider. */
export type Library = typeof import('oidc-provider')

/**
 * Loads oidc-provider at the first use: it takes 50 MB of memory and a quarter of a second, which a
 * shop without OAuth clients does not pay.
 */
export const loadLibrary = (): Promise<Library> => import('oidc-provider')
