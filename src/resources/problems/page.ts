import { escapeText } from '#http/codec/xml/text.ts'
import type { ValueOf } from '#http/declare/schema.ts'
import { type Language, languages } from '#i18n/languages.ts'
import type { ProblemKind } from './schema.ts'

type ExportedData = ValueOf<typeof ProblemKind>

// Addresses are relative, so that they keep the version of the path.
const hrefOfOne = ({ error_code }: ExportedData): string => `problems/${error_code}`
const hrefOfAll = '../problems'

/** The page of one kind of error, for people. */
export function pageOfOne(told: ExportedData, language: Language): string {
  const all = `<p><a href="${hrefOfAll}">${escapeText(languages[language]['page.all_problems'])}</a></p>`
  return pageOf(language, `${told.error_code} ${told.title}`, [
    `<h1>${headingOf(told)}</h1>`,
    ...paragraphsOf(told, language),
    all,
  ])
}

/** The page of all kinds of errors, for people. */
export function pageOfAll(
  { data }: { readonly data: readonly ExportedData[] },
  language: Language,
) {
  const title = languages[language]['page.problems']
  const sections = data.flatMap((told) => [
    `<h2><a href="${hrefOfOne(told)}">${headingOf(told)}</a></h2>`,
    ...paragraphsOf(told, language),
  ])
  return pageOf(language, title, [`<h1>${escapeText(title)}</h1>`, ...sections])
}

const headingOf = ({ error_code, title }: ExportedData): string =>
  `<code>${error_code}</code> ${escapeText(title)}`

const paragraphsOf = (told: ExportedData, language: Language): readonly string[] => [
  `<p><small>HTTP ${told.status} · <code>${told.label}</code></small></p>`,
  `<p>${escapeText(told.explanation)}</p>`,
  `<p><strong>${escapeText(languages[language]['page.suggestion'])}</strong> ${escapeText(told.suggestion)}</p>`,
]

const style =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;' +
  'color-scheme:light dark}h2{margin-top:2rem;font-size:1.1rem}'

const pageOf = (language: Language, title: string, lines: readonly string[]): string =>
  `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${lines.join('\n')}
</main>
</body>
</html>
`
