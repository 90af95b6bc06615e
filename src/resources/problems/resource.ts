import { hash } from 'node:crypto'
import type { Context } from '#http/declare/context.ts'
import { documentation, open } from '#http/declare/policy.ts'
import { item, singleton } from '#http/declare/resource.ts'
import { read } from '#http/declare/route.ts'
import { problemsPath } from '#http/response/problems/body.ts'
import { languages } from '#i18n/languages.ts'
import { catalogue, type ErrorCode } from '#values/error-codes.ts'
import type { Instant } from '#values/instant.ts'
import { pageOfAll, pageOfOne } from './page.ts'
import { ProblemKind, ProblemKinds } from './schema.ts'

const codes = Object.keys(catalogue) as readonly ErrorCode[]

/** Everything that is told follows from the release. */
const revision = hash('sha1', JSON.stringify([catalogue, languages]), 'base64url')

function present(code: ErrorCode, { language }: Context) {
  const sentences = languages[language]
  return {
    error_code: code,
    ...catalogue[code],
    title: sentences[`title.${code}`],
    explanation: sentences[`explanation.${code}`],
    suggestion: sentences[`suggestion.${code}`],
  }
}

const problemSince = (since: Instant) =>
  item({
    name: 'problem',
    description: 'A way in which a request may fail, explained.',
    path: `${problemsPath}/:code`,
    schema: ProblemKind,
    load: async (_, { code }) => codes.find((known) => Number(known) === code),
    pathParams: (code) => ({ code: Number(code) }),
    revision: () => revision,
    changedAt: () => [since],
    isLocalized: true,
    present,
    page: pageOfOne,
    links: { problems: { to: 'problems' } },
  })

const problemsSince = (since: Instant) =>
  singleton({
    name: 'problems',
    description: 'Every way in which a request may fail, all on one page.',
    path: problemsPath,
    schema: ProblemKinds,
    load: async () => codes,
    pathParams: () => ({}),
    revision: () => revision,
    changedAt: () => [since],
    isLocalized: true,
    present: ({ length }) => ({ total_items: length }),
    embeds: { data: { resource: 'problem', of: (all) => all } },
    page: pageOfAll,
    links: { entry: { to: 'entry' } },
  })

/** What the codes of errors mean, the same since this moment. */
export const problemRoutes = (since: Instant) => {
  const policy = { access: open, rate: 'reads', cache: documentation } as const
  return [
    read(problemsSince(since), { summary: 'Explains every code of errors.', ...policy }),
    read(problemSince(since), { summary: 'Explains a code of errors.', ...policy }),
  ]
}
