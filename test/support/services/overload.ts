import { setTimeout as sleep } from 'node:timers/promises'
import { english } from '#i18n/en.ts'
import type { TestRequest, TestResponse } from '#test/support/app.ts'

const pauseMs = 250
const maxTries = 240

/** True if the process rejected a request because its event loop is late; it has done nothing. */
export const isOverloaded = ({ json }: Pick<TestResponse, 'json'>): boolean =>
  json?.error_code === '5031' && json.details === english['detail.overloaded']

/** Repeats each request while the server is overloaded, for up to a minute. */
export const repeatWhileOverloaded =
  (request: TestRequest): TestRequest =>
  async (...call) => {
    for (let tries = 1; ; tries += 1) {
      const response = await request(...call)
      if (!isOverloaded(response) || tries === maxTries) return response
      await sleep(pauseMs)
    }
  }
