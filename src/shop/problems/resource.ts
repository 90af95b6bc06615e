import { hash } from 'node:crypto'
import type { Context } from '#http/declare/context.ts'
import { documentationCache, noAuthentication } from '#http/declare/policy.ts'
import { item, singleton } from '#http/declare/resource.ts'
import { read } from '#http/declare/route.ts'
import { problemsPath } from '#http/response/problems/body.ts'
import { type ErrorCode, errorCatalogue } from '#i18n/error-codes.ts'
import { languages } from '#i18n/languages.ts'
import type { Instant } from '#values/instant.ts'
import { renderProblem, renderProblems } from './page.ts'
import { ProblemKind, ProblemKinds } from './schema.ts'

const codes = Object.keys(errorCatalogue) as readonly ErrorCode[]

// Nothing in these resources changes while the server runs.
const revision = hash('sha1', JSON.stringify([errorCatalogue, languages]), 'base64url')

function present(code: ErrorCode, { language }: Context) {
  const sentences = languages[language]
  return {
    error_code: code,
    ...errorCatalogue[code],
    title: sentences[`title.${code}`],
    explanation: sentences[`explanation.${code}`],
    suggestion: sentences[`suggestion.${code}`],
  }
}

const problemSince = (since: Instant) =>
  item({
    name: 'problem',
    description: 'An explanation of an error code.',
    path: `${problemsPath}/:code`,
    ids: codes.map(Number),
    schema: ProblemKind,
    load: async (_, { code }) => codes.find((each) => Number(each) === code),
    pathParams: (code) => ({ code: Number(code) }),
    revision: () => revision,
    changedAt: () => [since],
    isLocalized: true,
    present,
    page: renderProblem,
    links: { problems: { to: 'problems' } },
  })

const problemsSince = (since: Instant) =>
  singleton({
    name: 'problems',
    description: 'All error codes on one page.',
    path: problemsPath,
    schema: ProblemKinds,
    load: async () => codes,
    pathParams: () => ({}),
    revision: () => revision,
    changedAt: () => [since],
    isLocalized: true,
    present: ({ length }) => ({ total_items: length }),
    embeds: { data: { resource: 'problem', of: (all) => all } },
    page: renderProblems,
    links: { entry: { to: 'entry' } },
  })

/** The routes of the error codes; `since` is their modification date, the start of the server. */
export const problemRoutes = (since: Instant) => {
  const policy = {
    access: noAuthentication,
    rateLimit: 'default',
    cache: documentationCache,
  } as const
  return [
    read(problemsSince(since), { summary: 'Explains every error code.', ...policy }),
    read(problemSince(since), { summary: 'Explains an error code.', ...policy }),
  ]
}
