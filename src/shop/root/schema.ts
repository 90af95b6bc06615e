import { Type } from 'typebox'

/** The root of the API. */
export const Root = Type.Object({
  name: Type.String({ description: 'The name of the server.', examples: ['cartwright'] }),
  version: Type.String({ description: 'The release of the server.', examples: ['0.1.0'] }),
  api_versions: Type.Array(Type.Integer(), {
    description: 'The API versions that the server supports.',
  }),
})
