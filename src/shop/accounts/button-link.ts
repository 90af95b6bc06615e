import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { textItem } from '#http/declare/resource.ts'
import { type Route, read, replace } from '#http/declare/route.ts'
import type { ErrorCode } from '#i18n/error-codes.ts'
import {
  type AccountLinkParts,
  type AccountToken,
  accountLinkOptions,
} from '#shop/messages/mails/account-link.ts'
import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { RecoveryParts } from '#shop/recovery.ts'

/** A link in a mail with which its reader does one thing: by the API, or by the button of a page. */
export interface ButtonLink {
  /** The name of the resource. */
  readonly name: string
  readonly description: string
  /** The segment of the path before the token. */
  readonly segment: string
  readonly purpose: AccountTokenPurpose
  /** The operations of this and of other such links, by the names under which it links to them. */
  readonly links: Readonly<Record<string, string>>
  readonly operationId: string
  readonly summary: string
  readonly problems?: readonly ErrorCode[]
  /** The beginning of the keys of the messages of its page. */
  readonly prefix: 'verify' | 'disown' | 'undo'
  /** True where its page asks for the password of an account that would get orders placed by others. */
  readonly provesAccount?: true
  /** What it does, once; throws 404/4041 if the token was used meanwhile. */
  readonly work: (
    ctx: Pick<Context, 'db' | 'now' | 'actor' | 'auditActor'>,
    parts: RecoveryParts,
    token: AccountToken,
  ) => Promise<void>
}

/** The operations of a link with a button. */
export function buttonLinkRoutes(
  parts: AccountLinkParts & RecoveryParts,
  { name, description, segment, purpose, links, operationId, summary, problems, work }: ButtonLink,
): readonly Route[] {
  const item = textItem({
    name,
    description,
    path: `/${segment}/:token`,
    ...accountLinkOptions(parts, purpose),
    links: Object.fromEntries(
      Object.entries(links).map(([link, to]) => [
        link,
        { to, operation: 'replace' as const, body: () => ({}) },
      ]),
    ),
  })
  return [
    read(item, {
      summary: 'Reads whether the link of a mail still works.',
      access: noAuthentication,
      rateLimit: 'default',
      cache: noStore,
    }),
    replace(item, {
      operationId,
      summary,
      access: noAuthentication,
      rateLimit: 'default',
      // Of each link its own, with an XML root element of its own.
      body: Type.Object({}, { additionalProperties: false }),
      statuses: [204],
      ...(problems ? { problems } : {}),
      handle: async (ctx, { current }) => {
        await work(ctx, parts, current)
        return current
      },
    }),
  ]
}
