import type { DemoAddress, DemoPerson } from './rows.ts'

function at(
  country: string,
  postal_code: string,
  city: string,
  line1: string,
  region: string | null = null,
  line2: string | null = null,
): DemoAddress {
  return { line1, line2, city, region, postal_code, country }
}

/** The invented customers of the demo shop, always in the same order, each with an address. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  {
    name: 'Amara Oyelaran',
    email: 'amara.oyelaran@example.com',
    age: 34,
    home: at('US', '97214', 'Portland', '1418 Alderfern Street', 'OR'),
  },
  {
    name: 'Benedikt Vogelsang',
    email: 'b.vogelsang@example.com',
    age: 51,
    home: at('DE', '04229', 'Leipzig', 'Lindenhofweg 12'),
  },
  {
    name: 'Carmen Ibarrola',
    email: 'carmen.ibarrola@example.com',
    age: 29,
    home: at('ES', '48005', 'Bilbao', 'Calle del Astillero 7', null, '3º B'),
  },
  {
    name: 'Dev Raghunathan',
    email: 'dev.r@example.com',
    age: 41,
    home: at('US', '78704', 'Austin', '305 Pecan Hollow Lane', 'TX'),
  },
  {
    name: 'Elspeth Mackinlay',
    email: 'elspeth@example.com',
    age: 67,
    home: at('GB', 'EH6 5QX', 'Edinburgh', '22 Ropemaker Wynd'),
  },
  {
    name: 'Farid Benhaddou',
    email: 'farid.benhaddou@example.com',
    age: 38,
    home: at('FR', '69007', 'Lyon', '9 rue des Tisserands'),
  },
  {
    name: 'Grace Tamihana',
    email: 'grace.tamihana@example.com',
    age: 45,
    home: at('NZ', '6021', 'Wellington', '61 Totara Rise'),
  },
  {
    name: 'Henrik Solstad',
    email: 'henrik.solstad@example.com',
    age: 57,
    home: at('NO', '5034', 'Bergen', 'Fjellhagen 18'),
  },
  {
    name: 'Imogen Fairweather',
    email: 'imogen.f@example.com',
    age: 26,
    home: at('GB', 'BS3 4LT', 'Bristol', '4 Kiln Terrace', null, 'Top flat'),
  },
  {
    name: 'Jun Watanuki',
    email: 'jun.watanuki@example.com',
    age: 31,
    home: at('JP', '606-8207', 'Kyoto', '2-14 Tanaka Hinoki-cho'),
  },
  {
    name: 'Katarzyna Wrońska',
    email: 'kasia.wronska@example.com',
    age: 36,
    home: at('PL', '31-059', 'Kraków', 'ul. Jarzębinowa 5', null, 'm. 8'),
  },
  {
    name: 'Lucas Pellerin',
    email: 'lucas.pellerin@example.com',
    age: 23,
    home: at('CA', 'H2J 3K9', 'Montréal', '4127 avenue des Mélèzes', 'QC'),
  },
  {
    name: 'Mei-Lin Cheung',
    email: 'meilin.cheung@example.com',
    age: 48,
    home: at('CA', 'V5N 2R6', 'Vancouver', '890 Salal Crescent', 'BC'),
  },
  {
    name: 'Nnamdi Ezekwe',
    email: 'nnamdi.ezekwe@example.com',
    age: null,
    home: at('US', '30307', 'Atlanta', '77 Quince Court', 'GA', 'Unit 2'),
  },
  {
    name: 'Oriane Delacourt',
    email: 'oriane@example.com',
    age: 62,
    home: at('BE', '9000', 'Gent', 'Zwaluwkaai 31'),
  },
  {
    name: 'Paulo Teixeira Brandão',
    email: 'paulo.brandao@example.com',
    age: 44,
    home: at('PT', '4050-312', 'Porto', 'Rua da Oliveirinha 88', null, '2.º Dto'),
  },
  {
    name: 'Quinn Abernathy',
    email: 'quinn.abernathy@example.com',
    age: 19,
    home: at('US', '05401', 'Burlington', '16 Sugarbush Road', 'VT'),
  },
  {
    name: 'Rosalind Achterberg',
    email: 'r.achterberg@example.com',
    age: 73,
    home: at('NL', '3511 KV', 'Utrecht', 'Molenpad 46'),
  },
  {
    name: 'Samuel Whitlock',
    email: 'sam.whitlock@example.com',
    age: 39,
    home: at('AU', '3057', 'Melbourne', '12 Bottlebrush Street', 'VIC'),
  },
  {
    name: 'Tuva Lindqvist',
    email: 'tuva.lindqvist@example.com',
    age: 28,
    home: at('SE', '413 14', 'Göteborg', 'Enbärsgatan 9'),
  },
  {
    name: 'Umberto Calligari',
    email: 'umberto.calligari@example.com',
    age: 55,
    home: at('IT', '40123', 'Bologna', 'Via dei Cordai 21'),
  },
  {
    name: 'Violet Nakamura-Price',
    email: 'violet.np@example.com',
    age: 33,
    home: at('US', '55407', 'Minneapolis', '2930 Lindenwood Avenue', 'MN'),
  },
  {
    name: 'Wiremu Parata',
    email: 'wiremu.parata@example.com',
    age: null,
    home: at('NZ', '8011', 'Christchurch', '8 Kōwhai Lane'),
  },
  {
    name: 'Yasmin El-Khatib',
    email: 'yasmin.elkhatib@example.com',
    age: 42,
    home: at('US', '60640', 'Chicago', '1250 West Larkspur Avenue', 'IL', 'Apartment 3R'),
  },
]
