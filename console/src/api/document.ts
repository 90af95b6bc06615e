import type { Body, Json } from './json.ts'
import { hasScopes } from './session.ts'

/** A JSON Schema of the OpenAPI document, as far as the console reads it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly default?: Json
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly writeOnly?: boolean
}

/** A schema without references and null. */
export interface ResolvedSchema extends Schema {
  readonly anyOf?: readonly ResolvedSchema[]
  readonly isMoney?: boolean
}

/** A query parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly schema: Schema
}

/** An operation of the API. */
export interface Operation {
  readonly method: string
  readonly template: string
  readonly tag: string
  readonly query: readonly Parameter[]
  readonly bodySchema: Schema | undefined
  readonly isBodyRequired: boolean
  readonly responseSchema: Schema | undefined
  readonly scopes: readonly string[]
}

interface RawOperation {
  readonly tags?: readonly string[]
  readonly parameters?: readonly Body[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Body>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The OpenAPI document of the server. */
export class ApiDocument {
  readonly title: string
  readonly operations: readonly Operation[]
  readonly #document: Body

  constructor(document: Body) {
    this.#document = document
    this.title = String((document.info as Body).title)
    const paths = document.paths as unknown as Readonly<
      Record<string, Readonly<Record<string, RawOperation>>>
    >
    this.operations = Object.entries(paths).flatMap(([template, byMethod]) =>
      methods.flatMap((method) => {
        const raw = byMethod[method]
        return raw ? [this.#read(template, method.toUpperCase(), raw)] : []
      }),
    )
  }

  #read(template: string, method: string, raw: RawOperation): Operation {
    const success = raw.responses['200'] ?? raw.responses['201'] ?? raw.responses['202']
    const parameters = (raw.parameters ?? []).map((each) => this.#resolve<Body>(each))
    return {
      method,
      template,
      tag: raw.tags?.[0] ?? '',
      query: parameters
        .filter((each) => each.in === 'query')
        .map((each) => ({ name: String(each.name), schema: each.schema as Schema })),
      bodySchema: schemaOf(raw.requestBody?.content),
      isBodyRequired: raw.requestBody?.required === true,
      responseSchema: success && schemaOf(this.#resolve<{ content?: Content }>(success).content),
      scopes: raw.security?.find((each) => 'oauth2' in each)?.['oauth2'] ?? [],
    }
  }

  #resolve<T>(value: unknown): T {
    const { $ref } = value as { readonly $ref?: string }
    if ($ref === undefined) return value as T
    const names = $ref.split('/').slice(1)
    return this.#resolve(
      names.reduce<unknown>((found, name) => (found as Body)[name], this.#document),
    )
  }

  /** The schema with the properties of all that it combines. */
  #joined({ allOf, ...schema }: Schema): Schema {
    if (allOf === undefined) return schema
    const parts = allOf.map((part) => this.schema(part))
    const properties = Object.assign({}, ...parts.map((part) => part.properties))
    return { ...Object.assign({}, ...parts), ...schema, properties }
  }

  /** The schema behind a reference, without null. */
  schema(given: Schema): ResolvedSchema {
    const isMoney = given.$ref?.endsWith('/Money') === true
    const schema = this.#joined(this.#resolve<Schema>(given))
    const choices = schema.anyOf?.filter((each) => each.type !== 'null')
    const [choice] = choices ?? []
    if (choice && choices?.length === 1) {
      const { description } = schema
      const inner = this.schema(choice)
      return { ...inner, ...(description === undefined ? {} : { description }) }
    }
    const types = [schema.type ?? []].flat()
    const type = types.find((each) => each !== 'null')
    return {
      ...schema,
      ...given,
      ...(schema.anyOf ? { anyOf: schema.anyOf.map((each) => this.schema(each)) } : {}),
      ...(type === undefined ? {} : { type }),
      ...(isMoney || schema.multipleOf !== undefined ? { isMoney: true } : {}),
    }
  }

  /** The operation of a method on a path; undefined if the API has none. */
  operation(method: string, href: string): Operation | undefined {
    const [path = ''] = href.split('?')
    const parts = path.split('/')
    const literals = ({ template }: Operation) =>
      template.split('/').filter((part) => !part.startsWith('{')).length
    return this.operations
      .filter((each) => each.method === method && isMatch(each.template.split('/'), parts))
      .sort((one, other) => literals(other) - literals(one))[0]
  }

  /** The schema of the entries if the operation lists a collection. */
  entrySchema({ responseSchema }: Operation): Schema | undefined {
    const page = responseSchema && this.schema(responseSchema)
    const { data, pagination } = page?.properties ?? {}
    return data && pagination ? this.schema(data).items : undefined
  }

  /** True for a list that always begins with its oldest entries. */
  isFeed(path: string): boolean {
    const names = this.operation('GET', path)?.query.map(({ name }) => name) ?? []
    return names.includes('since') && !names.includes('sort')
  }

  /** The collections that can be listed without knowing another resource. */
  collections(): readonly Operation[] {
    return this.operations.filter(
      (each) =>
        each.method === 'GET' &&
        !each.template.includes('{') &&
        this.entrySchema(each) !== undefined &&
        hasScopes(each.scopes),
    )
  }

  /** The operation of a method on a path, if the token has its scopes. */
  permitted(method: string, href: string): Operation | undefined {
    const found = this.operation(method, href)
    return found && found.scopes.length > 0 && hasScopes(found.scopes) ? found : undefined
  }
}

const schemaOf = (content: Content | undefined): Schema | undefined =>
  (content?.['application/merge-patch+json'] ?? content?.['application/json'])?.schema

const isMatch = (template: readonly string[], path: readonly string[]): boolean =>
  template.length === path.length &&
  template.every((part, index) => part.startsWith('{') || part === path[index])
