import { brotliCompressSync, constants } from 'node:zlib'
import { pluginResponse } from '#http/server/plugin-response.ts'

/**
 * Returns the script of the API reference, compressed by Brotli. It is one file of a package whose other
 * dependencies a server would install in vain.
 */
export async function buildReferenceScript(): Promise<Readonly<Record<string, Buffer>>> {
  // A development dependency, which a server does without.
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const options = { routePrefix: '/', configuration: { url: '/openapi.json' } } as const
  const script = await pluginResponse(plugin, options, '/js/scalar.js')
  const banner = Buffer.from('/*! Scalar API Reference, MIT, (c) Scalar */\n')
  const compressed = brotliCompressSync(Buffer.concat([banner, script]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  })
  return { 'src/server/documentation/scalar.js.br': compressed }
}
