import openapiTS, { astToString } from 'openapi-typescript'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}
interface Part {
  readonly in?: string
  readonly content?: object
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

/** Returns the types of the routes of an OpenAPI document in JSON, and the targets of links. */
export function generateRoutes(openapi: string, links: LinkTargets): string {
  const document = JSON.parse(openapi)
  const typeOf = ({ operationId, parameters = [], requestBody, responses }: Operation): string => {
    const operation = `operations['${operationId}']`
    const content = `['content']['${jsonType}']`
    const hasQuery = parameters.some((each) => resolve(document, each).in === 'query')
    const answers = successes
      .filter((status) => hasJson(document, responses[status]))
      .map((status) => `${operation}['responses'][${status}]${content}`)
    const query = hasQuery ? `NonNullable<${operation}['parameters']['query']>` : 'undefined'
    const body = hasJson(document, requestBody)
      ? `NonNullable<${operation}['requestBody']>${content}`
      : 'undefined'
    return `{ query: ${query}; body: ${body}; answer: ${answers.join(' | ') || 'undefined'} }`
  }
  return [
    `${origin}import type { operations } from './openapi.ts'\n`,
    '/** The routes of the API: method and path. */',
    'export interface Routes {',
    ...routesOf(document).map(
      ([route, operation]) => `  readonly '${route}': ${typeOf(operation)}`,
    ),
    '}\n',
    '/** What each link leads to, by the schema of its resource. */',
    `export const links = ${toSource(links)}\n`,
  ].join('\n')
}

/** Returns the collections of an OpenAPI document in JSON: the types of their functions, and their paths. */
export function generateCollections(openapi: string): string {
  const document = JSON.parse(openapi)
  const routes = new Map<string, Operation>(
    routesOf(document).filter(([, { responses }]) =>
      successes.some((status) => hasJson(document, responses[status])),
    ),
  )
  const roots = [...routes.keys()].map((route) => /^GET (\/[a-z-]+)/.exec(route)?.[1] ?? '/')
  const collections = [...new Set(roots)]
    .map((path) => ({ path, functions: functionsOf(path, routes) }))
    .filter(({ functions }) => functions.length > 0)
    .map((each) => ({ ...each, name: toCamelCase(each.path.slice(1)) }))
  const paths = Object.fromEntries(collections.map(({ name, path }) => [name, path]))
  return [
    `${origin}import type { Call, Route } from './resource.ts'\n`,
    '/** Reads the entry with an id. */',
    'type Get<R extends Route> = (',
    '  id: string | number,',
    '  ...rest: Parameters<Call<R>>',
    ') => ReturnType<Call<R>>\n',
    '/** The functions of the collections of the API. */',
    'export interface Collections {',
    ...collections.flatMap(({ name, functions }) => [`  readonly ${name}: {`, ...functions, '  }']),
    '}\n',
    '/** The paths of the collections. */',
    `export const collections = ${toSource(paths)}\n`,
  ].join('\n')
}

/** The declarations of the functions of a path; none if it can neither be listed nor has entries. */
function functionsOf(path: string, routes: ReadonlyMap<string, Operation>): readonly string[] {
  const entry = [...routes.keys()].find(
    (route) => route.startsWith(`GET ${path}/{`) && route.endsWith('}') && !route.includes('}/'),
  )
  const isList = routes.get(`GET ${path}`)?.operationId.startsWith('list')
  if (!isList && entry === undefined) return []
  return [
    [isList ? `GET ${path}` : '', `readonly list: Call<'GET ${path}'>`] as const,
    [`POST ${path}`, `readonly create: Call<'POST ${path}'>`] as const,
    [entry ?? '', `readonly get: Get<'${entry}'>`] as const,
  ].flatMap(([route, declaration]) => {
    const operation = routes.get(route)
    return operation ? [`    /** ${operation.summary} */`, `    ${declaration}`] : []
  })
}

const toCamelCase = (name: string) =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const toSource = (value: object): string => `${JSON.stringify(value, undefined, 2)} as const`

/** The operations of a document by method and path. */
const routesOf = (document: { readonly paths: Readonly<Record<string, Methods>> }) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )

/** What a reference of the document leads to, or the value itself. */
function resolve(document: object, value: object): Part {
  if (!('$ref' in value)) return value
  const names = String(value.$ref).split('/').slice(1)
  return resolve(
    document,
    names.reduce((found, name) => Reflect.get(found, name), document),
  )
}

const hasJson = (document: object, value: object = {}): boolean =>
  jsonType in (resolve(document, value).content ?? {})
