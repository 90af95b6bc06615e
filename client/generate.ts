import openapiTS, { astToString } from 'openapi-typescript'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}
type Methods = Readonly<Record<string, Operation>>

/** What each link of a resource leads to, by the schema of the resource: `{ Order: { pay: 'POST /…' } }`. */
export type LinkTargets = Readonly<Record<string, Readonly<Record<string, string>>>>

const origin = '// Generated from docs/generated/openapi.json by `npm run generate`.\n\n'
const jsonType = 'application/json'
const successes = ['200', '201', '202']

/** Returns the TypeScript types of an OpenAPI document in JSON. */
export async function generateTypes(openapi: string): Promise<string> {
  const syntaxTree = await openapiTS(openapi, { immutable: true })
  return origin + astToString(syntaxTree)
}

/** Returns the types and names of the routes of an OpenAPI document in JSON, and the targets of links. */
export function generateRoutes(openapi: string, links: LinkTargets): string {
  const document = JSON.parse(openapi)
  const resolve = (value: object): { readonly in?: string; readonly content?: object } =>
    '$ref' in value
      ? resolve(
          String(value.$ref)
            .split('/')
            .slice(1)
            .reduce((found, name) => found[name], document),
        )
      : value
  const hasJson = (value: object | undefined) => jsonType in (resolve(value ?? {}).content ?? {})
  const typeOf = ({ operationId, parameters = [], requestBody, responses }: Operation): string => {
    const operation = `operations['${operationId}']`
    const content = `['content']['${jsonType}']`
    const hasQuery = parameters.some((each) => resolve(each).in === 'query')
    const answers = successes
      .filter((status) => hasJson(responses[status]))
      .map((status) => `${operation}['responses'][${status}]${content}`)
    const query = hasQuery ? `NonNullable<${operation}['parameters']['query']>` : 'undefined'
    const body = hasJson(requestBody)
      ? `NonNullable<${operation}['requestBody']>${content}`
      : 'undefined'
    return `{ query: ${query}; body: ${body}; answer: ${answers.join(' | ') || 'undefined'} }`
  }
  const routes = Object.entries<Methods>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  // Singletons and documents are no collections; a list has pages, and an entry a path below.
  const listed = routes
    .filter(([, { responses }]) => successes.some((status) => hasJson(responses[status])))
    .filter(([route, { operationId }]) => /^POST|\}$/.test(route) || /^list/.test(operationId))
    .map(([route]) => route)
  return [
    `${origin}import type { operations } from './openapi.ts'\n`,
    '/** The routes of the API: method and path. */',
    'export interface Routes {',
    ...routes.map(([route, operation]) => `  readonly '${route}': ${typeOf(operation)}`),
    '}\n',
    '/** The collections of the API, with their routes. */',
    `export const collections = ${toSource(collectionsOf(listed))}\n`,
    '/** What each link leads to, by the schema of its resource. */',
    `export const links = ${toSource(links)}\n`,
  ].join('\n')
}

const toSource = (value: object): string => `${JSON.stringify(value, undefined, 2)} as const`

/** The collections at the root that can be listed or have entries, by their names in camelCase. */
function collectionsOf(routes: readonly string[]) {
  const paths = new Set(routes.map((route) => /^GET (\/[a-z-]+)/.exec(route)?.[1] ?? '/'))
  const collections = [...paths].flatMap((path) => {
    const list = routes.find((route) => route === `GET ${path}`)
    const create = routes.find((route) => route === `POST ${path}`)
    const get = routes.find((route) => /^\/\{\w+\}$/.test(route.replace(`GET ${path}`, '')))
    if (path === '/' || (list ?? get) === undefined) return []
    const name = path.slice(1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return [[name, { path, list, create, get }] as const]
  })
  return Object.fromEntries(collections)
}
