import { after, before, beforeEach } from 'node:test'
import { fixedWindow } from '#http/rate-limit/algorithms/fixed-window.ts'
import type { Counters } from '#http/rate-limit/counters.ts'
import { memoryCounters } from '#http/rate-limit/memory-counters.ts'
import type { MailTransport } from '#shop/messages/mails/delivery/message.ts'
import { createSmtpTransport } from '#shop/messages/mails/delivery/transport.ts'
import { createMailer } from '#src/server/startup/mail.ts'
import { type TestApp, testIssuer } from '#test/support/app.ts'
import {
  type MailServer,
  type ReceivedMail,
  startMailServer,
} from './services/doubles/mail-server.ts'

/** The sender of the mails of tests. */
const testSender = { name: 'Kettle & Co', address: 'shop@example.com' }

/** Sends the mails of a test app, as one process of its server does. */
export interface TestMailer {
  /** Plans and sends until nothing is due. */
  readonly run: () => Promise<void>
  /** Gives up the attempts under way, as a process does that stops. */
  readonly stop: () => void
  /** What was reported. */
  readonly reports: object[]
}

/** Creates the mailer of a test app, which sends to a mail server, and counts in memory, by default. */
export function createTestMailer(
  app: TestApp,
  url: string,
  transport: MailTransport = createSmtpTransport(url, testSender),
  mailCounters: Counters | 'off' = memoryCounters(fixedWindow),
): TestMailer {
  const reports: object[] = []
  const mailer = createMailer({
    ...app.parts,
    transport,
    mailCounters: mailCounters === 'off' ? undefined : mailCounters,
    shopName: testSender.name,
    accountPagesUrl: `${testIssuer}/account`,
    report: (facts) => reports.push(facts),
  })
  return {
    reports,
    stop: mailer.stop,
    run: async () => {
      for (;;) {
        const { tried, isFull } = await mailer.run(app.db)
        if (!isFull && tried === 0) return
      }
    },
  }
}

/** The mail server of the tests of a file, and the mailer of their app. */
export interface Mailing {
  server: MailServer
  mailer: TestMailer
}

/** Has a mail server run during the tests of a file; each of them begins without mails. */
export function useMailServer(appOf: () => TestApp): Mailing {
  const mailing = {} as Mailing
  before(async () => {
    mailing.server = await startMailServer()
    mailing.mailer = createTestMailer(appOf(), mailing.server.url)
  })
  after(() => mailing.server.close())
  beforeEach(async () => {
    mailing.server.reject = () => undefined
    await mailing.mailer.run()
    mailing.server.mails.length = 0
  })
  return mailing
}

/** Returns the token in the link of a mail. */
export function tokenIn({ text }: ReceivedMail): string {
  const [, token] = /\/account\/[\w-]+\/([\w-]+)/.exec(text) ?? []
  if (token === undefined) throw new Error(`There is no link in: ${text}`)
  return token
}
