import { escapeText } from '#http/codec/xml/text.ts'
import { style } from '#http/html/style.ts'
import { type Language, languages } from '#i18n/languages.ts'
import type { ValueOf } from '#schema/words.ts'
import type { ProblemKind } from './schema.ts'

type Kind = ValueOf<typeof ProblemKind>

// Relative, so that a link keeps the version in the path.
const problemHref = ({ error_code }: Kind): string => `problems/${error_code}`
const problemsHref = '../problems'

/** Renders the HTML page of one error code. */
export function renderProblem(kind: Kind, language: Language): string {
  const all = `<p class="links"><a href="${problemsHref}">${escapeText(languages[language]['page.all_problems'])}</a></p>`
  return renderPage(language, `${kind.error_code} ${kind.title}`, [
    `<h1>${renderHeading(kind)}</h1>`,
    ...renderParagraphs(kind, language),
    all,
  ])
}

/** Renders the HTML page that lists all error codes. */
export function renderProblems({ data }: { readonly data: readonly Kind[] }, language: Language) {
  const title = languages[language]['page.problems']
  const sections = data.flatMap((kind) => [
    `<h2><a href="${problemHref(kind)}">${renderHeading(kind)}</a></h2>`,
    ...renderParagraphs(kind, language),
  ])
  return renderPage(language, title, [`<h1>${escapeText(title)}</h1>`, ...sections])
}

const renderHeading = ({ error_code, title }: Kind): string =>
  `<code>${error_code}</code> ${escapeText(title)}`

const renderParagraphs = (kind: Kind, language: Language): readonly string[] => [
  `<p class="quiet">HTTP ${kind.status} · <code>${kind.label}</code></p>`,
  `<p>${escapeText(kind.explanation)}</p>`,
  `<p><strong>${escapeText(languages[language]['page.suggestion'])}</strong> ${escapeText(kind.suggestion)}</p>`,
]

// Besides the style of all pages: a column for reading, and a line above every error of the list.
const ownRules =
  'main{max-width:44rem}h2{margin:1.75rem 0 0;padding-top:1.5rem;border-top:1px solid var(--line);' +
  'font-size:1.1rem}h2 a{text-decoration:none}h2 a:hover{text-decoration:underline}' +
  ':is(h1,h2) code{color:var(--quiet)}.quiet+p{margin-top:.8rem}'

const renderPage = (language: Language, title: string, lines: readonly string[]): string =>
  `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
${style.text}
<style>${ownRules}</style>
</head>
<body>
<main>
${lines.join('\n')}
</main>
</body>
</html>
`
