import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Compile } from 'typebox/schema'
import { documentedStatuses, type OpenApiDocument } from '#http/openapi/document.ts'
import { startTestApp, type TestApp } from '#test/support/app.ts'
import { getByPointer, type Node, resolve } from '#test/support/openapi.ts'

/** Yields every object of a document with its path. */
function* objectsIn(value: unknown, path = ''): Generator<readonly [string, Node]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Node]
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${path}/${name}`)
}

const toBraces = (path: string) => path.replace(/:(\w+)/g, '{$1}')

describe('the OpenAPI document', () => {
  let shop: TestApp
  let document: OpenApiDocument
  before(async () => {
    shop = await startTestApp('sqlite')
    document = (await shop.request('GET', '/openapi.json')).json
  })
  after(() => shop.dispose())

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, { parameters: _, ...methods }]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
  const assertFits = (name: string, value: unknown) => {
    const schema = { ...document, $ref: `#/components/schemas/${name}` }
    const [ok, errors] = Compile(schema).Errors(value)
    assert.ok(ok, `${name}: ${JSON.stringify(errors)}`)
  }

  test('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone<Node>(document))
    assert.equal(valid, true, JSON.stringify(errors))
    assert.equal(document['openapi'], '3.1.0')
  })

  test('contains exactly the declared routes', () => {
    const declared = shop.operations.map(({ route }) => `${route.method} ${toBraces(route.path)}`)
    const documented = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    assert.deepEqual(documented.sort(), declared.sort())
  })

  test('has unique operation ids', () => {
    const names = operations().map(({ operation }) => operation['operationId'])
    assert.equal(new Set(names).size, names.length)
    for (const name of ['listProducts', 'getProduct', 'logIn', 'addToCart', 'placeOrder']) {
      assert.ok(names.includes(name), name)
    }
  })

  test('groups the operations by what one does, those of the server last', () => {
    const tags = document['tags'] as readonly { readonly name: string }[]
    const names = tags.map(({ name }) => name)
    const used = operations().flatMap(({ operation }) => operation['tags'] as readonly string[])
    // The operations of the server come early, as tools send them first.
    const inOrder = [...new Set(used)].filter((name) => name !== 'Operation')
    assert.deepEqual(names, [...inOrder, 'Operation'])
    assert.deepEqual(names.slice(0, 5), ['Start', 'Catalogue', 'Account', 'Cart', 'Checkout'])
  })

  test('describes the deliveries of webhooks', () => {
    const { event } = document['webhooks'] as { readonly event: { readonly post: Node } }
    const names = (event.post['parameters'] as { readonly name: string }[]).map(({ name }) => name)
    assert.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    assert.deepEqual(event.post['requestBody'], {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
    })
  })

  test('has no dangling reference', () => {
    for (const [path, { $ref }] of objectsIn(document)) {
      if (typeof $ref === 'string')
        assert.ok(getByPointer(document, $ref.slice(1)), `${path} refers to ${$ref}`)
    }
  })

  test('has no unused component', () => {
    const used = new Set([...objectsIn(document)].map(([, { $ref }]) => $ref))
    const { securitySchemes: _, ...sections } = document['components'] as Record<string, Node>
    for (const [section, components] of Object.entries(sections)) {
      for (const name of Object.keys(components)) {
        assert.ok(used.has(`#/components/${section}/${name}`), `${section}/${name} is not used`)
      }
    }
  })

  test('is small enough to read and to generate from', async () => {
    for (const version of [1, 2]) {
      const { text } = await shop.request('GET', `/v${version}/openapi.json`)
      const bytes = Buffer.byteLength(text) / operations().length
      assert.ok(bytes < 2_500, `${bytes} bytes an operation`)
    }
  })

  test('does not repeat a response', () => {
    const components = document['components'] as { readonly responses: Node }
    const written = [
      ...Object.values(components.responses),
      ...operations().flatMap(({ operation }) =>
        Object.values(operation['responses'] as Node).filter((one) => !('$ref' in (one as Node))),
      ),
    ]
    const texts = written.map((response) => JSON.stringify(response))
    assert.deepEqual(
      texts.filter((text, index) => texts.indexOf(text) !== index),
      [],
    )
  })

  test('contains no internal keyword', () => {
    for (const [path, node] of objectsIn(document)) {
      const internal = ['logical', 'ignored', 'component', 'documented', 'alternatives', '~kind']
      for (const name of [...internal, '~optional']) {
        assert.ok(!(name in node), `${path} contains ${name}`)
      }
    }
  })

  test('describes every field and every parameter', () => {
    const schemas = document.components.schemas as Readonly<Record<string, Node>>
    /** True if the schema describes the field, or a schema that its description names does. */
    const describesField = ({ properties, description }: Node, name: string): boolean => {
      const { [name]: field } = (properties ?? {}) as Node
      if (field === undefined) return false
      if (resolve(document, field)['description'] !== undefined) return true
      const others = [...String(description).matchAll(/`(\w+)`/g)]
      return others.some(([, other = '']) => describesField(schemas[other] ?? {}, name))
    }
    // The schemas of links and of entries describe these.
    const described = new Set(['_links', 'data'])
    for (const [path, node] of objectsIn(document)) {
      const { properties, parameters } = node
      if (path.endsWith('/properties')) continue
      // Its description says where the fields are described.
      const refersToOthers = path.includes('/UserData/')
      for (const name of refersToOthers ? [] : Object.keys(properties ?? {})) {
        assert.ok(described.has(name) || describesField(node, name), `${path}: ${name}`)
      }
      for (const parameter of Array.isArray(parameters) ? parameters : []) {
        const { name, description } = resolve(document, parameter)
        assert.ok(description, `${path}: ${name}`)
      }
    }
  })

  test('has examples that are valid for their schemas', () => {
    for (const [path, node] of objectsIn(document)) {
      if (!Array.isArray(node['examples'])) continue
      const { examples, ...schema } = node
      for (const example of examples as unknown[]) {
        assert.ok(Compile({ ...document, ...schema }).Check(example), `${path}: ${example}`)
      }
    }
  })

  test('lists the statuses of an operation, in either path syntax', () => {
    const braces = documentedStatuses(document, 'PATCH', '/products/{productId}')
    const expected = [200, 400, 401, 403, 404, 409, 410, 412, 413, 414, 415, 422, 500, 503]
    for (const status of expected) assert.ok(braces.includes(status), String(status))
    assert.deepEqual(documentedStatuses(document, 'patch', '/products/:productId'), braces)
    assert.deepEqual(documentedStatuses(document, 'PUT', '/products'), [])
  })

  test('requires credentials exactly where the API does', () => {
    const securityOf = (path: string, method: string) =>
      document.paths[path]?.[method]?.['security']
    const mechanisms = [
      'bearer',
      'oauth2',
      'openIdConnect',
      'basic',
      'digest',
      'api-key',
      'api-key-query',
    ]
    const needing = (scopes: readonly string[]) =>
      mechanisms.map((name) => ({ [name]: name === 'oauth2' ? scopes : [] }))
    assert.deepEqual(securityOf('/products', 'post'), needing(['products:write']))
    assert.deepEqual(securityOf('/products', 'get'), [{}, ...needing([])])
    assert.deepEqual(securityOf('/login', 'post'), [])
  })

  test('describes the responses of the API', async () => {
    const admin = await shop.signInAs('admin')
    const { json: product } = await admin.request('POST', '/products', {
      name: 'Kettle',
      price: 19.99,
    })
    assertFits('Product', product)
    const { json: detailed } = await shop.request(
      'GET',
      `${product._links.self.href}?include=related`,
    )
    assertFits('Product', detailed)
    const { json: page } = await admin.request('GET', '/users?limit=1')
    assertFits('User', page.data[0])
    assertFits('Pagination', page.pagination)
    assertFits('Cart', (await admin.request('GET', `/users/${admin.id}/cart`)).json)
    assertFits('Error', (await shop.request('POST', '/products', {})).json)
    assertFits('Error', (await shop.request('POST', '/users', { age: 'old' })).json)
  })

  test('accepts a representation as a request body', async () => {
    const admin = await shop.signInAs('admin')
    const { json: product } = await admin.request('POST', '/products', {
      name: 'Pot',
      price: 5,
      description: 'Holds a litre.',
    })
    assertFits('ProductBody', product)
    assertFits('ProductPatch', product)
    const changed = { ...product, name: 'Small pot' }
    const patched = await admin.request('PATCH', `/products/${product.id}`, changed)
    assert.equal(patched.status, 200, patched.text)
    const { json } = await admin.request('PATCH', `/products/${product.id}`, { price: 6 })
    assert.equal(json.description, 'Holds a litre.')
  })

  test('is revalidated with its ETag and ignores credentials', async () => {
    const { headers } = await shop.request('GET', '/openapi.json')
    const none = headers['etag'] ?? ''
    const again = await shop.request('GET', '/openapi.json', undefined, { 'if-none-match': none })
    assert.equal(again.status, 304)
    const bad = { authorization: 'Bearer bad' }
    assert.equal((await shop.request('GET', '/openapi.json', undefined, bad)).status, 200)
  })
})

describe('a server with other settings', () => {
  test('is described with its public URL', async () => {
    const shop = await startTestApp('sqlite', { composition: { baseUrl: 'https://shop.example' } })
    try {
      assert.deepEqual(shop.describe(1)['servers'], [{ url: 'https://shop.example' }])
      assert.deepEqual(shop.describe(2)['servers'], [{ url: 'https://shop.example/v2' }])
    } finally {
      await shop.dispose()
    }
  })

  test('is described with these settings', async () => {
    const composition = { linksField: 'links', errorShape: 'simple' } as const
    const shop = await startTestApp('sqlite', { composition })
    try {
      const document = shop.describe()
      const { valid } = await new Validator().validate(structuredClone<Node>(document))
      assert.equal(valid, true)
      assert.ok(getByPointer(document, '/components/schemas/Product/properties/links'))
      assert.ok(getByPointer(document, '/components/schemas/Error/properties/error'))
    } finally {
      await shop.dispose()
    }
  })
})

describe('the interactive reference', () => {
  let shop: TestApp
  before(async () => {
    shop = await startTestApp('sqlite')
  })
  after(() => shop.dispose())

  test('is a page without external URLs', async () => {
    const { status, headers, text } = await shop.request('GET', '/docs', undefined, {
      accept: '*/*',
    })
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.doesNotMatch(text, /https?:|src="\/\//)
  })

  test('serves its script', async () => {
    const { status, headers, text } = await shop.request('GET', '/docs/reference.js')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.match(text, /data-configuration/)
    assert.ok(headers['etag'])
  })
})

test('the catalog of the API links to what exists', async () => {
  const shop = await startTestApp('sqlite', { issuer: 'https://shop.example.com' })
  try {
    const { status, headers, json } = await shop.request('GET', '/.well-known/api-catalog')
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/linkset\+json/)
    const links = (json.linkset as readonly Record<string, readonly { href: string }[]>[]).flatMap(
      ({ anchor: _, ...relations }) => Object.entries(relations),
    )
    assert.deepEqual(links.map(([relation]) => relation).sort(), [
      'item',
      'service-desc',
      'service-doc',
      'status',
    ])
    for (const { href } of links.flatMap(([, targets]) => targets)) {
      const { origin, pathname } = new URL(href)
      assert.equal(origin, 'https://shop.example.com')
      assert.equal((await shop.request('GET', pathname)).status, 200, href)
    }
    const head = await shop.request('HEAD', '/.well-known/api-catalog')
    assert.equal(
      head.headers['link'],
      '<https://shop.example.com/.well-known/api-catalog>; rel="api-catalog"',
    )
    const etag = String(headers['etag'])
    const again = await shop.request('GET', '/.well-known/api-catalog', undefined, {
      'if-none-match': etag,
    })
    assert.equal(again.status, 304)
  } finally {
    await shop.dispose()
  }
})
