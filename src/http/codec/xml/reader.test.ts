import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { compileCodec } from '#http/codec/codec.ts'
import { Id, nullable, requestBody, timestamps } from '#schema/words.ts'
import { type FieldIssue, Problem } from '#values/problem.ts'
import { compileXmlReader, maxXmlDepth, maxXmlNodes } from './reader.ts'

const Pot = Type.Object({
  id: Id('The pot.'),
  name: Type.String(),
  litres: Type.Number(),
  clean: Type.Boolean(),
  lid: nullable(Type.Object({ colour: Type.String() })),
  marks: Type.Array(Type.String()),
  ...timestamps,
})
const { name, litres, clean, lid, marks } = Pot.properties
const PotBody = requestBody({ name, litres, clean, lid, marks }, Pot)
const read = compileXmlReader(PotBody, 'pot', { onlyRoot: true })
const inPot = (xml: string): unknown => read(`<pot>${xml}</pot>`)

const rejectsWith = (xml: string, key: string) =>
  assert.rejects(
    async () => read(xml),
    (error) => error instanceof Problem && error.code === '4002' && error.detail.key === key,
    xml.slice(0, 500),
  )

describe('an XML body', () => {
  test('that is long is parsed in slices with the same result, wherever they are cut', async () => {
    const long = `${'a &amp; b <![CDATA[<c>]]> 🔑\r\n'.repeat(4000)}end`
    const plain = `${'a & b <c> 🔑\n'.repeat(4000)}end`
    for (const shift of ['', 'x', 'xy', 'xyz']) {
      const value = read(`<pot><name>${shift}${long}</name></pot>`)
      assert.ok(value instanceof Promise)
      assert.deepEqual(await value, { name: shift + plain })
    }
  })

  test('is unescaped where the attribute escaped is true', () => {
    const escaped = String.raw`\\\u0041\\\u0041\x\u00e9\\\\\u00`.replaceAll('\\\\', '\\')
    assert.deepEqual(inPot(`<name escaped="true">${escaped}</name>`), {
      name: escaped.replace(/\\(?:\\|u([0-9a-f]{4}))/gi, (_, unit) =>
        unit === undefined ? '\\' : String.fromCharCode(Number.parseInt(unit, 16)),
      ),
    })
  })

  test('is read with the types of its schema', () => {
    const xml = `<?xml version="1.0" encoding="utf-8"?>
      <pot>
        <name> 12 </name> <litres> 2.50 </litres> <clean>true</clean>
        <!-- with its lid -->
        <lid><colour>r&#xe9;d &amp; <![CDATA[<blue>]]></colour></lid>
        <marks> <mark>1</mark> <mark/> </marks>
      </pot>`
    const lid = { colour: 'réd & <blue>' }
    const pot = { name: ' 12 ', litres: 2.5, clean: true, lid, marks: ['1', ''] }
    assert.deepEqual(read(xml), pot)
  })
  const values: readonly (readonly [xml: string, value: unknown])[] = [
    ['<lid nil="true"/>', { lid: null }],
    ['<lid nil="true"> </lid>', { lid: null }],
    ['<lid nil="false"/>', { lid: {} }],
    ['<marks/>', { marks: [] }],
    ['<marks><mark nil="true"/></marks>', { marks: [null] }],
    ['<name/>', { name: '' }],
    ['<name nil="true"/>', { name: null }],
    ['<name>a\r\nb&#13;</name>', { name: 'a\nb\r' }],
    ['<name escaped="true">a\\u0001\\\\\\x</name>', { name: 'a\u0001\\\\x' }],
    ['<name>\\u0041</name>', { name: '\\u0041' }],
    // The codec rejects values of another type.
    ['<litres>two</litres>', { litres: 'two' }],
    ['<litres/>', { litres: '' }],
    ['<litres>0x10</litres>', { litres: '0x10' }],
    ['<litres type="string">2</litres>', { litres: '2' }],
    ['<clean>1</clean>', { clean: '1' }],
    ['<marks>red</marks>', { marks: 'red' }],
    ['<name><first>A</first></name>', { name: { first: 'A' } }],
    ['<lids>3</lids>', { lids: '3' }],
    ['<lids type="array"><lid type="number">3</lid></lids>', { lids: [3] }],
    ['<member name="a b">c</member>', { 'a b': 'c' }],
    ['<member name="name">c</member>', { name: 'c' }],
    ['<toString>c</toString>', { toString: 'c' }],
  ]
  for (const [xml, value] of values)
    test(`${JSON.stringify(xml)} is read as ${JSON.stringify(value)}`, () =>
      assert.deepEqual(inPot(xml), value))

  test('may contain links and read-only elements, which are dropped', () => {
    const links = '<links><link rel="self" href="/pots/1" method="PUT"/></links>'
    const ignored = '<id>1</id><created_at a="b"><c/>d<c/></created_at>'
    const read = inPot(`${ignored}<name>A</name>${links}<_links/>`)
    assert.deepEqual(read, { name: 'A' })
  })
  test('may be null, a text or empty', () => {
    assert.equal(read('<pot nil="true"/>'), null)
    assert.equal(read('<pot>full</pot>'), 'full')
    assert.deepEqual(read('<pot> </pot>'), {})
  })
  test('does not change prototypes', () => {
    const pot = inPot('<__proto__><name>A</name></__proto__><constructor>B</constructor>') as object
    assert.equal(Object.getPrototypeOf(pot), Object.prototype)
    assert.deepEqual(Object.keys(pot), ['__proto__', 'constructor'])
    const issues: FieldIssue[] = []
    compileCodec(PotBody, { currency: 'USD', currencyDigits: 2 }).decode(pot, '', issues)
    const unknown = issues.filter(({ message }) => message.key === 'field.unknown')
    assert.deepEqual(
      unknown.map(({ field }) => field),
      ['__proto__', 'constructor'],
    )
  })
  test('may have any root without onlyRoot', () => {
    assert.deepEqual(compileXmlReader(PotBody, 'pot')('<pan><name>A</name></pan>'), { name: 'A' })
  })
})

describe('400/4002 rejects', () => {
  const cases: readonly (readonly [key: string, ...xml: readonly string[]])[] = [
    [
      'detail.malformed_xml',
      '',
      ' ',
      'pot',
      '{"name":"A"}',
      '<pot>',
      '<pot></pan>',
      '<pot/><pot/>',
      '<pot/>text',
      ' <?xml version="1.0"?><pot/>',
      '<pot><name>a & b</name></pot>',
      '<pot><name>a < b</name></pot>',
      '<pot><name>&nbsp;</name></pot>',
      '<pot><name>&#0;</name></pot>',
      '<pot><name>&#xD800;</name></pot>',
      '<pot><name>\u0001</name></pot>',
      '<pot><name>]]></name></pot>',
      '<pot><name nil=true/></pot>',
      '<pot><name nil/></pot>',
      '<pot><name nil="true" nil="true"/></pot>',
      '<pot><!-- -- --></pot>',
    ],
    [
      'detail.xml_markup',
      '<!DOCTYPE pot><pot/>',
      '<!DOCTYPE pot SYSTEM "http://localhost/pot.dtd"><pot/>',
      '<!DOCTYPE pot [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><pot><name>&b;</name></pot>',
      '<!DOCTYPE pot [<!ENTITY a SYSTEM "file:///etc/passwd">]><pot><name>&a;</name></pot>',
      '<?xml-stylesheet href="a.xsl"?><pot/>',
      '<pot><?php echo 1 ?></pot>',
    ],
    [
      'detail.xml_declaration',
      '<?xml version="1.1"?><pot/>',
      '<?xml version="1.0" encoding="ISO-8859-1"?><pot/>',
      '<?xml version="1.0" encoding="UTF-16"?><pot/>',
    ],
    ['detail.xml_root', '<pan/>', '<pots/>'],
    [
      'detail.xml_repeated',
      '<pot><name>A</name><name>B</name></pot>',
      '<pot><id>1</id><id>2</id></pot>',
      '<pot><a/><a/></pot>',
      '<pot><name/><member name="name"/></pot>',
      '<pot><__proto__/><__proto__/></pot>',
    ],
    ['detail.xml_element', '<pot><marks><item>A</item></marks></pot>'],
    [
      'detail.xml_attribute',
      '<pot xmlns="urn:pots"/>',
      '<pot><name lang="en">A</name></pot>',
      '<pot><name name="b">A</name></pot>',
      '<pot><name __proto__="b">A</name></pot>',
      '<pot><name type="text">A</name></pot>',
      '<pot><name nil="yes"/></pot>',
      '<pot><name escaped="yes"/></pot>',
    ],
    [
      'detail.xml_mixed',
      '<pot>A<name>B</name></pot>',
      '<pot><name>B</name>A</pot>',
      '<pot><lid nil="true"><colour>A</colour></lid></pot>',
      '<pot><name nil="true">A</name></pot>',
    ],
  ]
  for (const [key, ...documents] of cases)
    test(key.replace('detail.', '').replaceAll('_', ' '), async () => {
      for (const xml of documents) await rejectsWith(xml, key)
    })

  test('elements nested too deeply, also ignored ones', async () => {
    const nested = (depth: number) =>
      `<pot>${'<a>'.repeat(depth - 1)}${'</a>'.repeat(depth - 1)}</pot>`
    assert.ok(read(nested(maxXmlDepth)))
    await rejectsWith(nested(maxXmlDepth + 1), 'detail.xml_depth')
    const id = `<pot><id>${'<a>'.repeat(200_000)}`
    await rejectsWith(id, 'detail.xml_depth')
  })

  test('too many references, comments and sections', async () => {
    for (const event of ['&#65;', '&amp;', '<!--x-->', '<![CDATA[x]]>']) {
      const document = (count: number) => `<pot>${event.repeat(count)}</pot>`
      assert.ok(await read(document(maxXmlNodes)))
      await rejectsWith(document(maxXmlNodes + 1), 'detail.xml_size')
    }
    await rejectsWith(`<pot b="${'&#65;'.repeat(maxXmlNodes + 1)}"/>`, 'detail.xml_size')
    const hidden = `<!--<![CDATA[-->${'&#65;'.repeat(maxXmlNodes)}`
    await rejectsWith(`<pot>${hidden}</pot>`, 'detail.xml_size')
  })

  test('a section and a comment may hold any number of marks', async () => {
    const marks = '<&'.repeat(maxXmlNodes)
    assert.ok(await read(`<pot><![CDATA[${marks}]]><!--${marks}--></pot>`))
  })

  test('too many elements and attributes', async () => {
    const marks = (count: number) => `<pot><marks>${'<mark/>'.repeat(count - 2)}</marks></pot>`
    assert.ok(await read(marks(maxXmlNodes)))
    await rejectsWith(marks(maxXmlNodes + 1), 'detail.xml_size')
    const attributes = Array.from({ length: maxXmlNodes }, (_, at) => `a${at}=""`)
    await rejectsWith(`<pot><id ${attributes.join(' ')}/></pot>`, 'detail.xml_size')
  })
})
