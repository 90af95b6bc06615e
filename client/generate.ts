import openapiTS, { astToString } from 'openapi-typescript'

/** Returns the TypeScript types of an OpenAPI document in JSON. */
export async function generateTypes(openapi: string): Promise<string> {
  const syntaxTree = await openapiTS(openapi, { immutable: true })
  return `// Generated from docs/generated/openapi.json by \`npm run generate\`.\n\n${astToString(syntaxTree)}`
}
