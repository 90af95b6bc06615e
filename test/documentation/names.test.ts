import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const documents = globSync('{*.md,docs/**/*.md,bench/*.md}', { cwd: root })
// Documents name files from the root, from src/, and those of the framework and of OAuth from there.
const bases = [
  '',
  'src',
  'src/http',
  'src/http/pipeline',
  'src/shop',
  'src/shop/orders',
  'src/shop/access/oauth',
]
/** Files of an example. */
const example = /wishes\//

const matchesOf = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8')

  test(`every file that ${document} names exists`, () => {
    const links = matchesOf(text, /\]\(([^):#]+)[^):]*\)/g)
    const paths = matchesOf(text, /`([\w.-]+(?:\/[\w.-]+)*\/[\w.-]+\.(?:ts|json|md|conf))`/g)
    const missing = [
      ...links.filter((link) => !existsSync(join(root, dirname(document), link))),
      ...paths.filter(
        (path) => ![dirname(document), ...bases].some((base) => existsSync(join(root, base, path))),
      ),
    ]
    assert.deepEqual(
      missing.filter((name) => !example.test(name)),
      [],
    )
  })

  test(`every script that ${document} names exists`, () => {
    const scripts = matchesOf(text, /npm run ([\w:-]*\w)/g)
    assert.deepEqual(
      scripts.filter((script) => !(script in manifest.scripts)),
      [],
    )
  })
}
