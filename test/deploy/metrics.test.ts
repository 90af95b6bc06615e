import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { findSink } from '#shop/events/sinks/sink-store.ts'
import { runJobs } from '#src/server/jobs.ts'
import { type PayingApp, startPayingApp, testShipping } from '#test/support/callers/paying.ts'
import { parseMetrics } from '#test/support/metrics.ts'
import { skipReason } from '#test/support/services/databases.ts'
import { dayMs } from '#values/instant.ts'

// biome-ignore lint/suspicious/noExplicitAny: the types of these files belong to other programs
type Json = any

const read = (name: string) =>
  readFile(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')

/** A selector of PromQL: a metric and the labels that must have a value. */
interface Selector {
  readonly metric: string
  readonly matchers: readonly { label: string; operator: string; value: string }[]
}

/** Labels that Prometheus adds to each series. */
const targetLabels = ['instance', 'job']
/** Metrics of Prometheus itself. */
const ownMetrics = ['up']

/** Returns the selectors of an expression: each name before braces, or that is no function. */
function selectorsOf(expression: string): readonly Selector[] {
  const bare = expression
    .replaceAll(/\b(?:by|without) \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
  const names = /([a-z_]+[a-z0-9_]*)(?:\{([^}]*)\})?(?![\w(]| \()/g
  return [...bare.replaceAll(/"[^"]*"/g, (text) => text.replaceAll(/[{}]/g, '')).matchAll(names)]
    .filter(
      ([, name = '', matchers]) => matchers !== undefined || name.includes('_') || name === 'up',
    )
    .map(([, metric = '', matchers = '']) => ({
      metric,
      matchers: [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
        ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
      ),
    }))
}

function matches({ operator, value }: Selector['matchers'][number], actual: string): boolean {
  const isEqual = operator.includes('~')
    ? new RegExp(`^(?:${value})$`).test(actual)
    : actual === value
  return operator.startsWith('!') ? !isEqual : isEqual
}

const labelsOf = (series: string): ReadonlyMap<string, string> =>
  new Map(
    [...series.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

describe('what deploy/monitoring asks for', { skip: skipReason('postgres') }, () => {
  let shop: PayingApp
  let series: readonly string[]
  let declared: ReadonlySet<string>
  before(async () => {
    const name = 'nats://127.0.0.1:4222?stream=SHOP'
    shop = await startPayingApp('postgres', undefined, {
      composition: { sinks: { names: [name], retentionMs: dayMs } },
    })
    await findSink(shop.db, name, shop.now)
    const buyer = await shop.signInAs('customer')
    const { id: product_id } = await shop.addProduct()
    const body = { items: [{ product_id, quantity: 1 }], shipping: testShipping }
    const { json: order } = await buyer.request('POST', '/orders', body)
    const path = `/users/${buyer.id}/orders/${order.id}/payment`
    await buyer.request('POST', path, { method: 'card', token: 'tok_visa' })
    await runJobs(shop.parts, shop.db)
    shop.observeJob('cleanup')
    const { text } = await shop.request('GET', '/metrics')
    series = [...parseMetrics(text).keys()]
    declared = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
  })
  after(() => shop.dispose())

  function assertResolves(expression: string): void {
    const selectors = selectorsOf(expression)
    assert.ok(selectors.length > 0, expression)
    for (const { metric, matchers } of selectors) {
      const isOfTarget = matchers.every(({ label }) => targetLabels.includes(label))
      // A counter with labels has no series before its first increment.
      if (ownMetrics.includes(metric) || (isOfTarget && declared.has(metric))) continue
      const found = series.filter((each) => each === metric || each.startsWith(`${metric}{`))
      assert.ok(found.length > 0, `${metric} does not exist: ${expression}`)
      for (const matcher of matchers) {
        if (targetLabels.includes(matcher.label)) continue
        const values = found.flatMap((each) => labelsOf(each).get(matcher.label) ?? [])
        assert.ok(values.length > 0, `${metric} has no label ${matcher.label}: ${expression}`)
        // The status of an error may not have occurred.
        if (matcher.label !== 'status')
          assert.ok(
            values.some((value) => matches(matcher, value)),
            expression,
          )
      }
    }
  }

  test('every query of the dashboard resolves', async () => {
    const dashboard: Json = JSON.parse(await read('grafana/dashboards/cartwright.json'))
    const expressions: string[] = dashboard.panels.flatMap(({ targets = [] }: Json) =>
      targets.map(({ expr }: Json) => expr),
    )
    assert.ok(expressions.length > 20)
    for (const expression of expressions) {
      assertResolves(expression)
      const labels = [...expression.matchAll(/\bby \((\w+)\)/g)].map(([, label = '']) => label)
      for (const label of labels.filter((each) => !targetLabels.includes(each)))
        assert.ok(
          series.some((each) => labelsOf(each).has(label)),
          `${label}: ${expression}`,
        )
    }
  })

  test('every alert resolves and names a section of docs/operating.md', async () => {
    const { groups }: Json = parse(await read('alerts.yml'))
    const docs = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
    for (const { alert, expr, annotations } of groups[0].rules) {
      assertResolves(expr)
      assert.equal(annotations.runbook, `docs/operating.md#${alert.toLowerCase()}`)
      assert.match(docs, new RegExp(`^#+ ${alert}$`, 'm'))
    }
  })

  test('a query of what does not exist fails here', () => {
    assert.throws(() => assertResolves('sum(rate(shop_orders_sold[5m]))'))
    assert.throws(() => assertResolves('shop_events_total{kind="order.paid"}'))
    assert.throws(() => assertResolves('shop_events_total{type="order.lost"}'))
  })
})
