import Fastify, { type FastifyPluginCallback } from 'fastify'

/** Returns the body of GET `path` from a Fastify plugin. Throws for another status than 200. */
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
