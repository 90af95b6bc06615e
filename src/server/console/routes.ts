import type { RawRoute } from '#http/server/raw-routes.ts'

/** The routes of the console, whose files are read at the first request. */
export function consoleRoutes(): readonly RawRoute[] {
  const respond: RawRoute['respond'] = async (call) => {
    const { respondWithFile } = await import('./files.ts')
    await respondWithFile(call)
  }
  return ['/console', '/console/*'].map((path) => ({ method: 'GET', path, respond }))
}
