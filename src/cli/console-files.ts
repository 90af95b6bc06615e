import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../../console')
const distribution = 'console/dist'

/** Builds the console. Returns its files by name, the same for the same sources. */
export async function buildConsole(): Promise<Readonly<Record<string, string>>> {
  // A development dependency, which a server does without.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [
      { in: join(root, 'src/main.tsx'), out: 'console' },
      { in: join(root, 'src/style.css'), out: 'console' },
    ],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    banner: { js: '/*! includes Preact, MIT, (c) Jason Miller */' },
  })
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))
  const icon = readFileSync(join(root, 'icon.svg'), 'utf8')
  const iconName = `icon-${hash('sha256', icon, 'hex').slice(0, 8)}.svg`
  const nameOf = (pattern: RegExp) => Object.keys(files).find((name) => pattern.test(name)) ?? ''
  const page = readFileSync(join(root, 'index.html'), 'utf8')
    .replace('ICON', iconName)
    .replace('STYLE', nameOf(/^console-.*\.css$/))
    .replace('SCRIPT', nameOf(/^console-.*\.js$/))
  const all = { ...files, [iconName]: icon, 'index.html': page }
  return Object.fromEntries(
    Object.entries(all).map(([name, text]) => [`${distribution}/${name}`, text]),
  )
}
