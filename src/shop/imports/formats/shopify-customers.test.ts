import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eachDatabase } from '#test/support/app.ts'
import { type ImportingShop, startImportingShop } from '#test/support/imports.ts'

const header =
  'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags'
const file = [
  header,
  "'7001,Ana,Díaz,ana.shopify@example.com,yes,Larkpost,12 Elm St,,Austin,TX,US,'73301,'+1 512 555 0100,'+1 512 555 0101,no,10.00,1,,no,vip",
  "'7002,Ben,,,no,,,,,,,,,'+34 911 234 567,no,0.00,0,,no,",
  "'7003,,,,no,Cup Ltd,1 High St,,London,,GB,,,,no,0.00,0,,no,",
  "'7004,Eve,Ito,eve.shopify@example.com,no,,1 Nowhere,,Town,ZZ,US,1,,,no,0.00,0,,no,",
  ',Kim,,,no,,,,,,US,,,,no,0.00,0,,no,',
].join('\n')

eachDatabase((kind) => {
  let shop: ImportingShop
  before(async () => {
    shop = await startImportingShop(kind)
  })
  after(() => shop.dispose())

  const userOf = async (externalId: string) => {
    const { data } = await shop.read(`/users?external_id=${externalId}`)
    const { id, ...user } = data[0]
    const addresses = (await shop.read(`/users/${id}/addresses`)).data
    return { ...user, addresses }
  }

  test('customers of Shopify are users with an address, also without an email', async () => {
    const { operation, errors } = await shop.importFile('users', file)
    assert.deepEqual(errors, [[6, 'email', '4001']])
    assert.partialDeepStrictEqual(operation.result, {
      ...{ created: 4, detected: { format: 'shopify' } },
      warnings: [{ row: 4 }, { row: 5 }],
    })
    assert.deepEqual(
      operation.result.warnings.map(({ field }: { field: string }) => field),
      ['address', 'address'],
    )
    const ignored = operation.result.ignored_columns.map(({ name }: { name: string }) => name)
    for (const name of ['Tags', 'Note', 'Accepts Email Marketing']) {
      assert.ok(ignored.includes(name), name)
    }
    const { addresses, ...ana } = await userOf('7001')
    assert.partialDeepStrictEqual(ana, {
      ...{ name: 'Ana Díaz', email: 'ana.shopify@example.com', phone: '+1 512 555 0101' },
    })
    assert.equal(addresses.length, 1)
    assert.partialDeepStrictEqual(addresses[0], {
      ...{ recipient: 'Ana Díaz', company: 'Larkpost', line1: '12 Elm St', city: 'Austin' },
      ...{ region: 'TX', postal_code: '73301', country: 'US', phone: '+1 512 555 0100' },
    })
    const ben = await userOf('7002')
    assert.deepEqual([ben.name, ben.email, ben.phone], ['Ben', null, '+34 911 234 567'])
    assert.equal((await userOf('7003')).name, 'Cup Ltd')
    assert.deepEqual((await userOf('7004')).addresses, [])
    const again = await shop.importFile('users', file)
    assert.partialDeepStrictEqual(again.operation.result, { created: 0, updated: 0, unchanged: 4 })
  })

  test('older exports, of which phones find those without an email, are customers too', async () => {
    const { operation, errors } = await shop.importFile(
      'users&format=shopify',
      [
        'First Name,Last Name,Email,Company,Address1,Address2,City,Province,Province Code,Country,Country Code,Zip,Phone,Accepts Marketing,Total Spent,Total Orders,Tags,Note,Tax Exempt',
        "Uma,Rao,,,2 Elm St,,Austin,Texas,TX,United States,US,73301,'+1 512 555 0199,yes,0,0,,,no",
      ].join('\n'),
    )
    assert.deepEqual(errors, [])
    assert.equal(operation.result.created, 1)
    const { data } = await shop.read(`/users?phone=${encodeURIComponent('+15125550199')}`)
    assert.equal(data[0].name, 'Uma Rao')
    const none = await shop.send('users&format=etsy', 'email,name\n')
    assert.equal(none.status, 422)
    assert.equal(none.json.errors[0].field, 'format')
  })
})
