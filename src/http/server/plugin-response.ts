import Fastify, { type FastifyPluginCallback } from 'fastify'

/** The body that a Fastify plugin answers GET `path` with, asked in a server that never listens. */
export async function pluginResponse<Options extends object>(
  plugin: FastifyPluginCallback<Options>,
  options: Options,
  path: string,
): Promise<Buffer> {
  const app = Fastify()
  try {
    await app.register(plugin, options as never)
    const { statusCode, rawPayload } = await app.inject(path)
    if (statusCode !== 200) throw new Error(`The plugin answers ${path} with ${statusCode}`)
    return rawPayload
  } finally {
    await app.close()
  }
}
