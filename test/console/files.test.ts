import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { makeImage } from '#test/support/images/uploads.ts'
import { runWaitingImports } from '#test/support/imports.ts'
import { pollUntil } from '#test/support/poll-until.ts'
import { browserSkipReason } from '#test/support/services/browser.ts'
import {
  type ConsoleShop,
  startConsoleShop,
  tabTo,
  unexpectedErrors,
  waitForAnnouncement,
} from './setup.ts'

describe('files in the console', { skip: browserSkipReason() }, () => {
  let shop: ConsoleShop
  before(async () => {
    shop = await startConsoleShop()
  })
  after(() => shop?.dispose())

  const read = async (path: string) => (await shop.admin.request('GET', path)).json
  const imageOf = async (name: string, background: string) => ({
    name,
    mimeType: 'image/png',
    buffer: await makeImage('png', { background }),
  })

  test('images are uploaded, described, ordered and deleted; of several, one that fails says which', async () => {
    const { id } = await shop.addProduct({ name: 'Kettle' })
    const path = `/products/${id}`
    const watched = await shop.openConsole(path)
    const { page } = watched
    await page.getByText('No images yet').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles([
        await imageOf('front.png', '#aa2244'),
        { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not an image') },
        await imageOf('back.png', '#2244aa'),
      ])
    await page.getByRole('alert').filter({ hasText: 'notes.png: ' }).waitFor()
    const pictures = page.locator('.images img')
    await pictures.nth(1).waitFor()
    assert.equal(await pictures.count(), 2)
    // The policy of the page lets them be shown.
    await pollUntil(
      () =>
        page.evaluate(
          "[...document.querySelectorAll('.images img')].every((image) => image.naturalWidth > 0)",
        ),
      Boolean,
    )
    const idsOf = async () => (await read(path)).images.map((image: { id: number }) => image.id)
    const [front, back] = await idsOf()
    const texts = page.getByLabel('Description for those who cannot see it')
    await texts.first().fill('The front of the kettle')
    await texts.first().press('Tab')
    await waitForAnnouncement(page, 'Saved')
    assert.equal((await read(path)).images[0].alt, 'The front of the kettle')
    await page.getByRole('button', { name: 'Move forward' }).nth(1).click()
    await page.locator('.images li:nth-child(2) img[alt="The front of the kettle"]').waitFor()
    assert.deepEqual(await idsOf(), [back, front])
    await page.locator('.images').getByRole('button', { name: 'Delete' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await pictures.nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(await idsOf(), [front])
    assert.deepEqual(unexpectedErrors(watched), [])
    await page.context().close()
  })

  /** Does what the import thread of a server does. */
  const run = () => runWaitingImports(shop)
  const chooseFile = (name: string, text: string) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })

  test('an import is first checked, then run, and names each row that failed and why', async () => {
    const watched = await shop.openConsole('/imports')
    const { page } = watched
    const rows = ['sku,name,price', 'LAMP,Lamp,29.50', 'SOFA,Sofa,much', 'RUG,Rug,80', ',Vase,5']
    const file = chooseFile('products.csv', rows.join('\n'))
    const isStored = async (sku: string) => (await read(`/products?sku=${sku}`)).data.length === 1
    for (const isDryRun of [true, false]) {
      await page.getByLabel('File (CSV, XLSX or NDJSON)').setInputFiles(file)
      await page.getByLabel('Only check, write nothing').setChecked(isDryRun)
      await page.getByRole('button', { name: 'Start' }).click()
      await page.locator('main h1 .badge', { hasText: 'Queued' }).waitFor()
      await run()
      await page.locator('main h1 .badge', { hasText: 'Succeeded' }).waitFor()
      await page.getByText('4 of 4 · 2 rows failed').waitFor()
      await page.locator('.failed-rows tbody tr').nth(1).waitFor()
      const failed = await page
        .locator('.failed-rows tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.cells].slice(0, 4).map(({ textContent }) => textContent)),
        )
      assert.deepEqual(failed, [
        ['3', 'SOFA', 'price', 'much'],
        ['5', '', 'sku', ''],
      ])
      // Its page is still there after a reload.
      await page.reload()
      await page.getByText('4 of 4 · 2 rows failed').waitFor()
      assert.equal(await isStored('LAMP'), !isDryRun)
      await page.locator('.crumb', { hasText: 'Imports' }).click()
      await page.getByRole('button', { name: 'Start' }).waitFor()
    }
    assert.deepEqual([await isStored('RUG'), await isStored('SOFA')], [true, false])
    const latest = page.locator('.lines li')
    await latest.nth(1).waitFor()
    assert.deepEqual(
      await latest.evaluateAll((all) => all.map(({ textContent }) => /checked/.test(textContent))),
      [false, true],
    )
    assert.deepEqual(unexpectedErrors(watched), [])
    await page.context().close()
  })

  test('a checked file shows what its columns and rows become, and is imported as they are then chosen, by keyboard', async () => {
    const watched = await shop.openConsole('/imports')
    const { page } = watched
    const template = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download a template' }).click()
    assert.equal((await template).suggestedFilename(), 'products-template.csv')
    const lines = [
      'sku;Name;Preis;Farbe;Notiz',
      'POT;Pot;39,90;red;x',
      'CUP;Cup;;;y',
      'POT;Big pot;42;;',
    ]
    await page
      .getByLabel('File (CSV, XLSX or NDJSON)')
      .setInputFiles(chooseFile('töpfe.csv', lines.join('\n')))
    await tabTo(page, page.getByRole('button', { name: 'Start' }))
    await page.keyboard.press('Enter')
    const ended = async () => {
      await page.locator('main h1 .badge', { hasText: 'Queued' }).waitFor()
      await run()
      await page.locator('main h1 .badge', { hasText: 'Succeeded' }).waitFor()
    }
    await ended()
    const choice = (column: string) => page.getByLabel(`Becomes: ${column}`, { exact: true })
    await choice('Preis').locator('option').nth(5).waitFor({ state: 'attached' })
    assert.deepEqual(
      await Promise.all(['sku', 'Name', 'Preis', 'Farbe'].map((name) => choice(name).inputValue())),
      ['sku', 'name', '', ''],
    )
    await page.locator('.review tr', { hasText: 'Notiz' }).getByText('2 values').waitFor()
    const rows = page.locator('.preview tbody tr')
    const cells = async () =>
      Promise.all((await rows.all()).map((row) => row.locator('td').allTextContents()))
    assert.deepEqual(await cells(), [
      ['2', 'Failed', 'Pot', 'POT'],
      ['3', 'Failed', 'Cup', 'CUP'],
      ['4', 'Failed', 'Big pot', 'POT'],
    ])
    await page.locator('.below tr', { hasText: 'POT' }).getByText('2, 4 (2)').waitFor()
    // Without a change there is nothing to check again.
    assert.equal(await page.getByRole('button', { name: 'Check again' }).isDisabled(), true)
    await choice('Preis').selectOption({ label: 'Price' })
    await choice('Farbe').selectOption({ label: 'Property “Farbe”' })
    await choice('Name').focus()
    await tabTo(page, page.getByRole('button', { name: 'Check again' }))
    await page.keyboard.press('Enter')
    await ended()
    assert.deepEqual(await cells(), [
      ['2', 'Created', 'Pot', 'POT', '39.9', 'red'],
      ['3', 'Failed', 'Cup', 'CUP', '', ''],
      ['4', 'Updated', 'Big pot', 'POT', '42', ''],
    ])
    assert.deepEqual((await read('/products?sku=POT')).data, [])
    await tabTo(page, page.getByRole('button', { name: 'Import', exact: true }))
    await page.keyboard.press('Enter')
    await ended()
    await page.getByText('3 of 3 · 1 rows failed').waitFor()
    assert.equal(await page.locator('.review, .preview').count(), 0)
    const [pot] = (await read('/products?sku=POT')).data
    assert.partialDeepStrictEqual(pot, { name: 'Big pot', price: 42, attributes: { Farbe: 'red' } })
    const failed = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    assert.equal(
      await readFile(await (await failed).path(), 'utf8'),
      '\ufeffsku,Name,Preis,Farbe,Notiz,error\r\nCUP,Cup,,,y,price: is required\r\n',
    )
    // After a reload the file is gone, and the page says so.
    await page.goBack()
    await page.reload()
    await page.getByText('To import, choose the file again.').waitFor()
    assert.equal(await page.locator('.review select').count(), 0)
    assert.deepEqual(unexpectedErrors(watched), [])
    await page.context().close()
  })

  test('a file that cannot be read says why, and an import that waits can be cancelled', async () => {
    const { page } = await shop.openConsole('/imports')
    const upload = async (text: string) => {
      await page
        .getByLabel('File (CSV, XLSX or NDJSON)')
        .setInputFiles(chooseFile('stock.csv', `sku,stock\n${text}`))
      await page.getByRole('button', { name: 'Start' }).click()
    }
    await page.getByLabel('What it holds').selectOption('Stock')
    await page
      .getByLabel('File (CSV, XLSX or NDJSON)')
      .setInputFiles(chooseFile('colours.csv', 'Item,colour\nA,red\n'))
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('alert').filter({ hasText: 'Item, colour' }).waitFor()
    await upload('"A,1\n')
    await page.locator('main h1 .badge', { hasText: 'Queued' }).waitFor()
    await run()
    await page.locator('main h1 .badge', { hasText: 'Failed' }).waitFor()
    await page.locator('.problem', { hasText: 'quote' }).waitFor()
    await page.locator('.crumb', { hasText: 'Imports' }).click()
    await upload('A,1\n')
    await page.getByRole('button', { name: 'Cancel import' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.locator('main h1 .badge', { hasText: 'Cancelled' }).waitFor()
    await page.context().close()
  })
})
