import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { compileXmlWriter } from '#http/codec/xml/writer.ts'
import type { OpenApiDocument } from '#http/openapi/document.ts'
import { includesOf } from '#test/contract/queries.ts'
import {
  assertErrorCode,
  type ContractApp,
  computedIncludesOf,
  forEachRoute,
  startContractApp,
  validRequest,
} from '#test/contract/setup/contract-app.ts'
import { permittedCaller, resolvePath, tokenOf } from '#test/contract/setup/valid-requests.ts'
import { resolve as resolveIn } from '#test/support/openapi.ts'

type Json = Readonly<Record<string, unknown>>

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly xml?: {
    readonly name?: string
    readonly wrapped?: boolean
    readonly attribute?: boolean
  }
}

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

function parse(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const path = [root]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    const opened = { name, attributes: { ...attributes }, children: [], text: '' }
    path.at(-1)?.children.push(opened)
    path.push(opened)
  })
  parser.on('text', (inside) => {
    const open = path.at(-1)
    if (open) open.text += inside
  })
  parser.on('closetag', () => path.pop())
  parser.write(text).close()
  const [element] = root.children
  assert.ok(element)
  return element
}

/** A key that is no XML name stands in the attribute of a `member`. */
const keyOf = ({ name, attributes }: Element): string =>
  name === 'member' ? (attributes['name'] ?? name) : name

/** Creates an XML reader that knows only the schemas of an OpenAPI document. */
function createReader(document: OpenApiDocument) {
  const resolve = (schema: Schema): Schema => {
    const [present] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
    if (present) return { ...resolve(present), ...schema, anyOf: [] }
    const { allOf, ...own } = resolveIn(document, schema) as Schema
    if (allOf === undefined) return own
    const parts = allOf.map(resolve)
    const properties = Object.assign({}, ...parts.map((part) => part.properties))
    return { ...Object.assign({}, ...parts), ...own, properties }
  }
  /** Of several schemas, that of a list whose entries the element has, or another one. */
  const choose = (schema: Schema, { children }: Element): Schema => {
    const present = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
    if (present.length < 2) return schema
    const isOfEntries = ({ items }: Schema) => {
      const entry = items && resolve(items).xml?.name
      return children.length > 0 && children.every(({ name }) => name === entry)
    }
    return present.find(isOfEntries) ?? present.find(({ items }) => !items) ?? schema
  }
  const read = (given: Schema, element: Element): unknown => {
    const unresolved = choose(given, element)
    const { type = 'object', items, properties = {}, xml } = resolve(unresolved)
    if (element.attributes['nil'] === 'true') return null
    const hasType = (name: string) => [type].flat().includes(name)
    if (xml?.name === 'links') return readLinks(element)
    if (items) {
      const entry = resolve(items).xml?.name
      assert.equal(xml?.wrapped, true)
      for (const { name } of element.children) assert.equal(name, entry)
      return element.children.map((child) => read(items, child))
    }
    if (hasType('integer') || hasType('number')) return Number(element.text)
    if (hasType('boolean')) return element.text === 'true'
    if (hasType('string')) return element.text
    const isOpen = Object.keys(properties).length === 0
    return isOpen ? readAny(element) : readMembers(properties, element)
  }
  /** An object without a schema: its elements declare their types unless they are text. */
  const readAny = ({ children }: Element): Json =>
    Object.fromEntries(children.map((child) => [keyOf(child), readTyped(child)]))
  const readTyped = (element: Element): unknown => {
    const { nil, type } = element.attributes
    if (nil === 'true') return null
    if (type === 'number') return Number(element.text)
    if (type === 'boolean') return element.text === 'true'
    if (type === 'array') return element.children.map(readTyped)
    return type === 'object' ? readAny(element) : element.text
  }
  const readMembers = (properties: Readonly<Record<string, Schema>>, element: Element) => {
    const known = new Map(
      Object.entries(properties).map(([key, schema]) => [resolve(schema).xml?.name ?? key, key]),
    )
    const entries = element.children.map((child) => {
      const key = known.get(keyOf(child))
      assert.ok(key !== undefined, `<${child.name}> in <${element.name}> is not described`)
      return [key, read(properties[key] as Schema, child)] as const
    })
    return Object.fromEntries(entries)
  }
  const { href, method } = resolve({ $ref: '#/components/schemas/Action' }).properties ?? {}
  const readLinks = ({ children }: Element) => {
    assert.ok(href?.xml?.attribute === true && method?.xml?.attribute === true)
    return children.map(({ name, attributes }) => {
      for (const schema of ['Link', 'Action', 'FilledAction']) {
        assert.equal(name, resolve({ $ref: `#/components/schemas/${schema}` }).xml?.name)
      }
      return attributes
    })
  }
  return { read, resolve }
}

/** Replaces `_links` by a list of their attributes, as XML has them. */
const flatLinks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner) =>
    key === '_links'
      ? Object.entries(inner as Readonly<Record<string, Json>>).map(([rel, { href, method }]) => ({
          rel,
          href,
          ...(method === undefined ? {} : { method }),
        }))
      : inner,
  )

describe('the XML of a response', () => {
  let contract: ContractApp
  before(async () => {
    contract = await startContractApp('memory')
  })
  after(() => contract.shop.dispose())

  for (const version of [1, 2]) {
    test(`of version ${version} matches its OpenAPI schema, in every media type`, async () => {
      const { shop, fixtures } = contract
      const document = shop.describe(version)
      const { read, resolve } = createReader(document)
      await forEachRoute(
        contract,
        ({ method, resource }) => method === 'GET' && resource.kind !== 'document',
        async (route) => {
          const includes = [...includesOf(route), ...computedIncludesOf(route)].join()
          const url = `/v${version}${resolvePath(route, fixtures)}${includes && `?include=${includes}`}`
          const authorization = `Bearer ${tokenOf(fixtures, permittedCaller(route)) ?? fixtures.owner.token}`
          const path = route.path.replace(/:(\w+)/g, '{$1}')
          const answers = document.paths[path]?.['get']?.['responses'] as Readonly<
            Record<string, Json>
          >
          const { content } = resolveIn(document, answers['200']) as {
            readonly content: Readonly<Record<string, { readonly schema?: Schema }>>
          }
          const types = Object.keys(content)
          assert.ok(types.includes('application/xml'), types.join())
          const json = await shop.request('GET', url, undefined, { authorization })
          assert.equal(json.status, 200, json.text)
          for (const [type, { schema }] of Object.entries(content)) {
            // A stream has no end, and no XML; exports have no schema; JSON-LD has words of its own.
            if (type === 'text/event-stream' || type === 'application/ld+json' || !schema) continue
            const answer = await shop.request('GET', url, undefined, {
              authorization,
              accept: type,
            })
            assert.equal(answer.headers['content-type'], `${type}; charset=utf-8`)
            if (type.endsWith('json')) assert.deepEqual(answer.json, json.json)
            else if (type !== 'text/html') {
              const root = parse(answer.text)
              assert.equal(root.name, resolve(schema).xml?.name)
              assert.deepEqual(read(schema, root), flatLinks(json.json))
            }
          }
        },
      )
    })
  }
})

describe('the XML of a request body', () => {
  let contract: ContractApp
  before(async () => {
    contract = await startContractApp('memory')
  })
  after(() => contract.shop.dispose())

  test('has the root element of its OpenAPI schema, and is rejected with another', async () => {
    const document = contract.shop.describe()
    const { resolve } = createReader(document)
    await forEachRoute(
      contract,
      ({ body }) => body !== undefined,
      async (route) => {
        const { body } = route
        const path = route.path.replace(/:(\w+)/g, '{$1}')
        const described = document.paths[path]?.[route.method.toLowerCase()]?.['requestBody']
        const content = (described as { content: Record<string, { schema: Schema }> }).content
        const root = resolve(content['application/xml']?.schema ?? {}).xml?.name
        assert.ok(body && root)
        const { json, ...spec } = validRequest(route, await contract.freshFixtures(route))
        const send = (name: string) =>
          contract.send({
            ...spec,
            payload: compileXmlWriter(body, name)(json ?? {}),
            headers: { 'content-type': 'application/xml' },
          })
        const plural = route.many ? [] : [`${root}s`]
        for (const other of [...plural, 'body', 'Error', `${root}.x`]) {
          const response = await send(other)
          assertErrorCode(response, '4002', other)
          assert.equal(response.json.details, `The root element must be ${root}.`)
        }
        const accepted = await send(root)
        assert.notEqual(accepted.json?.error_code, '4002', accepted.text)
      },
    )
  })
})
