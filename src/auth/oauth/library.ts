/** What is used of the library. */
export type Library = typeof import('oidc-provider')

/**
 * Loads the library when it is first needed: it takes 50 MB of memory and a quarter of a second,
 * which a shop without OAuth clients does not pay.
 */
export const loadLibrary = (): Promise<Library> => import('oidc-provider')
