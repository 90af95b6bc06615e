import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { consoleScopes } from '#shop/access/oauth/console-client.ts'
import { browserSkipReason } from '#test/support/services/browser.ts'
import { notFilters } from '../../console/src/api/parameters.ts'
import { de } from '../../console/src/words/de.ts'
import { en } from '../../console/src/words/en.ts'
import { es } from '../../console/src/words/es.ts'
import { fr } from '../../console/src/words/fr.ts'
import type { Words } from '../../console/src/words/texts.ts'
import { zh } from '../../console/src/words/zh.ts'
import { type ConsoleShop, startConsoleShop } from './setup.ts'

const translations: Readonly<Record<string, Words>> = { de, es, fr, zh }

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly parameters?: readonly (Schema & {
    readonly in?: string
    readonly name?: string
    readonly schema?: Schema
  })[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

const documentFile = new URL('../../docs/generated/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(documentFile, 'utf8'))

/** What a reference leads to. */
function resolve<T extends Schema>(value: T): T {
  if (value.$ref === undefined) return value
  const names = value.$ref.split('/').slice(1)
  return resolve(names.reduce((found, name) => found[name], document))
}

/** The words of an enumeration, also as entries of a list; countries are shown by their code. */
function wordsOf(given: Schema): readonly string[] {
  const { enum: words = [], anyOf = [], items } = resolve(given)
  return [...words, ...[...anyOf, ...(items ? [items] : [])].flatMap(wordsOf)].filter(
    (word) => !/^[A-Z]{2}$/.test(word),
  )
}

// What no page shows, and what is the same in every language.
const untranslated = new Set([
  ...['_links', 'option', '1.0', 'application/json'],
  ...['width', 'height', 'urls', 'next_action', 'payment_id', 'sequence'],
])
const hidden = /^\/(?:problems|sessions|oauth-consents|api-keys)/

/** The fields, filters and values of the collections that the console lists. */
function shownNames(): ReadonlySet<string> {
  const paths = Object.entries<{ readonly get?: Operation }>(document.paths)
  const names = paths.flatMap(([path, { get: operation }]) => {
    const scopes = operation?.security.find((each) => 'oauth2' in each)?.['oauth2'] ?? []
    const { data } = propertiesOf(
      operation?.responses['200']?.content?.['application/json']?.schema,
    )
    if (hidden.test(path) || !scopes.every(isOfConsole) || !data?.items) return []
    const filters = (operation?.parameters ?? [])
      .map(resolve)
      .filter((each) => each.in === 'query' && !notFilters.has(each.name ?? ''))
      .map(({ name = '', schema = {} }) => [name, schema] as const)
    const fields = Object.entries(propertiesOf(data.items))
    return [...filters, ...fields].flatMap(([name, schema]) => [name, ...wordsOf(schema)])
  })
  return new Set(names.filter((name) => !untranslated.has(name)))
}

const propertiesOf = (schema: Schema = {}) => resolve(schema).properties ?? {}

const isOfConsole = (scope: string): boolean => (consoleScopes as readonly string[]).includes(scope)

const placeholdersOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([each]) => each).toSorted()

describe('the texts of the console', () => {
  const shown = shownNames()
  assert.ok(shown.size > 100)
  for (const [language, { words, names }] of Object.entries(translations)) {
    test(`in ${language} are all there, with the same placeholders`, () => {
      assert.deepEqual(Object.keys(words).toSorted(), Object.keys(en.words).toSorted())
      for (const [key, text] of Object.entries(en.words)) {
        const translated = words[key as keyof typeof words]
        assert.notEqual(translated.trim(), '', key)
        assert.deepEqual(placeholdersOf(translated), placeholdersOf(text), key)
      }
    })

    test(`in ${language} name every field, filter and value of a list`, () => {
      assert.deepEqual([...shown].filter((name) => names[name] === undefined).toSorted(), [])
    })
  }
})

describe('the language of the console', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop()
  })
  after(() => shop?.dispose())

  test('is the one that is chosen, also after a reload, and in messages of the API', async () => {
    const { page } = await shop.openConsole('/discounts')
    for (const [language, { words, names }] of Object.entries({ ...translations, en })) {
      await page.locator('.foot select').first().selectOption(language)
      await page.locator('main h1', { hasText: names['discounts'] ?? 'Discounts' }).waitFor()
      await page.reload()
      await page.locator('main h1', { hasText: names['discounts'] ?? 'Discounts' }).waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), language)
      await page.getByRole('button', { name: words.add }).click()
      const request = page.waitForRequest((each) => each.method() === 'POST')
      await page.getByRole('button', { name: words.save }).click()
      assert.equal((await request).headers()['accept-language'], language)
      await page.locator('.field .problem').first().waitFor()
      await page.keyboard.press('Escape')
    }
    await page.context().close()
  })
})
