import type { DemoCategory } from './rows.ts'

/** The words one category's generated products are put together from; prices in whole dollars. */
export interface BulkWords {
  readonly skuPrefix: string
  readonly adjectives: readonly string[]
  readonly materials: readonly string[]
  readonly things: readonly string[]
  /** Follows the series name, as in "Harbour Collection". */
  readonly line: string
  readonly praises: readonly string[]
  readonly lowestPrice: number
  readonly highestPrice: number
}

/** Returns the comma-separated entries of a text, whatever lines they are spread over. */
export function words(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim().replace(/\s+/g, ' '))
}

/** The series names that every category shares. */
export const SERIES = words(`
      Harbour, Fjord, Meadow, Orchard, Lantern, Juniper, Cinder, Saltmarsh, Heron, Willow,
      Quarry, Northlight, Bramble, Tidewater, Alder, Larkspur, Foundry, Hollow, Kestrel,
      Millpond, Ember, Thicket, Windrow, Copperfield, Marigold, Driftwood, Sparrow,
      Highland, Evergreen, Riverbend
    `)

/** The words of each category. */
export const BULK_WORDS: Readonly<Record<DemoCategory, BulkWords>> = {
  kitchen: {
    skuPrefix: 'KIT',
    line: 'Collection',
    lowestPrice: 8,
    highestPrice: 160,
    adjectives: words(`
      Classic, Deep, Shallow, Compact, Family, Everyday, Heavy, Slim, Rustic, Polished,
      Hammered, Stackable, Tall, Petite, Generous, Plain
    `),
    materials: words(`
      Stoneware, Copper, Oak, Walnut, Steel, Enamel, Cast Iron, Porcelain, Bamboo, Olive
      Wood, Earthenware, Brass
    `),
    things: words(`
      Mixing Bowl, Serving Platter, Salt Cellar, Utensil Jar, Ladle, Trivet, Canister,
      Butter Dish, Pitcher, Egg Cup, Spoon Rest, Gravy Boat, Measuring Cup, Bread Bin,
      Fruit Bowl, Cake Stand, Colander, Cheese Board, Sugar Bowl, Sauce Pot
    `),
    praises: [
      'Cleans up in a minute and looks good left out.',
      'Made for daily use rather than for the cupboard.',
      'Comfortable to hold even when full.',
      'Ages well and is easy to match with what you have.',
    ],
  },
  garden: {
    skuPrefix: 'GDN',
    line: 'Range',
    lowestPrice: 6,
    highestPrice: 140,
    adjectives: words(`
      Weathered, Sturdy, Slender, Broad, Folding, Hanging, Tall, Low, Compact, Classic,
      Frostproof, Tapered, Ribbed, Rounded, Square, Narrow
    `),
    materials: words(`
      Terracotta, Cedar, Zinc, Willow, Steel, Ash, Larch, Copper, Jute, Slate, Bamboo,
      Cast Iron
    `),
    things: words(`
      Planter, Trellis, Plant Stand, Hand Fork, Dibber, Bulb Planter, Window Box, Garden
      Sieve, Obelisk, Bird Bath, Boot Scraper, Trug, Plant Label Set, Cloche, Hose Hook,
      Potting Bench, Edging Strip, Leaf Rake, Nesting Box, Wind Chime
    `),
    praises: [
      'Stands outside all year without complaint.',
      'A quiet piece that lets the plants do the talking.',
      'Sized for balconies as much as for borders.',
      'Needs nothing but a rinse at the end of the season.',
    ],
  },
  books: {
    skuPrefix: 'BKS',
    line: 'Edition',
    lowestPrice: 9,
    highestPrice: 48,
    adjectives: words(`
      Forgotten, Hidden, Complete, Little, Curious, Unfinished, Illustrated, Patient,
      Secret, Northern, Winter, Practical, Wandering, Modern, Lost, Honest
    `),
    materials: words(`
      Lighthouse, Orchard, River, Clockwork, Mountain, Railway, Garden, Island, Desert,
      Library, Weather, Beehive
    `),
    things: words(`
      Almanac, Companion, Reader, Atlas, Notebook, Mystery, Anthology, Handbook,
      Chronicle, Primer, Songbook, Cookbook, Bestiary, Dictionary, Diary, Fable Book,
      Field Guide, Casebook, Miscellany, Sketchbook
    `),
    praises: [
      'Sewn binding that opens flat.',
      'Generous margins and paper that is kind to the eyes.',
      'With notes, an index and a ribbon.',
      'As good in small sips as in one long sitting.',
    ],
  },
  audio: {
    skuPrefix: 'AUD',
    line: 'Series',
    lowestPrice: 15,
    highestPrice: 420,
    adjectives: words(`
      Compact, Portable, Warm, Balanced, Studio, Quiet, Slim, Vintage, Reference,
      Everyday, Travel, Desktop, Wide, Clear, Solid, Retro
    `),
    materials: words(`
      Walnut, Aluminium, Birch, Carbon, Steel, Oak, Linen, Cork, Ash, Brass, Graphite,
      Bamboo
    `),
    things: words(`
      Speaker, Headphone Stand, Radio, Turntable, Amplifier, Microphone Stand, Earphone
      Case, Record Shelf, Mixer, Soundbar, Subwoofer, Clock Radio, Speaker Stand, Phono
      Stage, Cassette Deck, Cable Box, Metronome, Record Weight, Headphone Amplifier,
      Music Stand
    `),
    praises: [
      'Tuned by ear and checked by measurement.',
      'Takes up little room and fills a lot of it.',
      'Every part that wears can be replaced.',
      'Real switches, real knobs, no app needed.',
    ],
  },
  toys: {
    skuPrefix: 'TOY',
    line: 'Collection',
    lowestPrice: 5,
    highestPrice: 90,
    adjectives: words(`
      Little, Merry, Wobbly, Brave, Sleepy, Bouncy, Speedy, Clever, Giant, Tiny, Curious,
      Musical, Jolly, Colourful, Gentle, Rolling
    `),
    materials: words(`
      Beech, Maple, Felt, Cotton, Tin, Cork, Birch, Linen, Corduroy, Rubberwood, Wool,
      Paper
    `),
    things: words(`
      Elephant, Fire Engine, Stacking Tower, Puzzle, Rattle, Sailing Boat, Owl, Memory
      Game, Whale, Tractor, Shape Sorter, Dragon, Balance Game, Hedgehog, Castle,
      Aeroplane, Dice Game, Penguin, Crane, Music Box
    `),
    praises: [
      'Sturdy enough to be handed down.',
      'No batteries, no noise except the laughing.',
      'Sized for small hands and finished with safe colours.',
      'Simple rules, endless versions.',
    ],
  },
  outdoor: {
    skuPrefix: 'OUT',
    line: 'Series',
    lowestPrice: 9,
    highestPrice: 380,
    adjectives: words(`
      Light, Packable, Rugged, Windproof, Folding, Alpine, Coastal, Trail, Insulated,
      Reflective, Compact, Summit, Weekend, Waterproof, Quick, Hardy
    `),
    materials: words(`
      Ripstop, Canvas, Titanium, Aluminium, Steel, Merino, Waxed Cotton, Cork, Recycled
      Nylon, Leather, Bamboo, Mesh
    `),
    things: words(`
      Daypack, Camp Stool, Dry Bag, Mug, Hip Pack, Windbreak, Cook Set, Tent Footprint,
      Stuff Sack, Map Case, Saddle Bag, Water Carrier, Sun Shelter, Gaiter Set, Camp
      Table, Bivouac Bag, Cutlery Set, Trail Pillow, Hammock, Handlebar Bag
    `),
    praises: [
      'Tested in rain that went sideways.',
      'Packs small and shrugs off rough handling.',
      'Weighs less than you would guess.',
      'Comes with spares for the parts that get lost.',
    ],
  },
  office: {
    skuPrefix: 'OFF',
    line: 'Range',
    lowestPrice: 4,
    highestPrice: 220,
    adjectives: words(`
      Slim, Stackable, Adjustable, Plain, Quiet, Compact, Weighted, Angled, Classic,
      Modular, Tall, Wide, Narrow, Folding, Everyday, Neat
    `),
    materials: words(`
      Oak, Walnut, Brass, Steel, Cork, Felt, Leather, Birch, Aluminium, Linen, Bamboo,
      Beech
    `),
    things: words(`
      Pen Tray, Letter Rack, Desk Organiser, Notebook Cover, Bookend, Card Holder, Paper
      Tray, Document Box, Cable Tidy, Laptop Stand, Clipboard, Desk Clock, Tape Dispenser,
      Pencil Cup, Magazine File, Wastepaper Bin, Footrest, Ruler, Monitor Shelf, Key Hook
    `),
    praises: [
      'Keeps the desk clear without hiding what you need.',
      'Edges are rounded and feet are soft.',
      'Looks calm on a video call.',
      'Assembles without tools.',
    ],
  },
  clothing: {
    skuPrefix: 'CLO',
    line: 'Collection',
    lowestPrice: 12,
    highestPrice: 260,
    adjectives: words(`
      Relaxed, Tailored, Cropped, Boxy, Soft, Heavy, Light, Striped, Washed, Quilted,
      Ribbed, Everyday, Oversized, Slim, Brushed, Plain
    `),
    materials: words(`
      Linen, Merino, Cotton, Corduroy, Denim, Flannel, Lambswool, Twill, Hemp, Jersey,
      Boiled Wool, Poplin
    `),
    things: words(`
      Shirt, Cardigan, Overshirt, Skirt, Dress, Pullover, Waistcoat, Scarf, Cap, Jacket,
      Nightshirt, Tunic, Jumpsuit, Coat, Polo Shirt, Hoodie, Kimono, Vest, Headband,
      Blazer
    `),
    praises: [
      'Cut to move in and finished inside as well as out.',
      'Washes without fuss and softens with wear.',
      'True to size, with a spare button sewn in.',
      'A colour that goes with everything you own.',
    ],
  },
  bath: {
    skuPrefix: 'BTH',
    line: 'Collection',
    lowestPrice: 5,
    highestPrice: 120,
    adjectives: words(`
      Gentle, Soft, Deep, Slim, Plush, Fresh, Woven, Simple, Folding, Rounded,
      Quick-Drying, Large, Small, Hanging, Classic, Smooth
    `),
    materials: words(`
      Waffle Cotton, Bamboo, Teak, Linen, Stone, Terry, Hemp, Ceramic, Acacia, Brass,
      Cork, Seagrass
    `),
    things: words(`
      Bath Mat, Soap Dish, Towel Rail, Washcloth, Storage Basket, Tumbler, Toothbrush
      Holder, Bath Tray, Laundry Bag, Shower Shelf, Robe Hook, Bath Stool, Back Scrubber,
      Tissue Box, Cosmetic Pouch, Towel Ladder, Guest Towel, Bath Pillow, Hand Mirror,
      Cotton Jar
    `),
    praises: [
      'Dries fast and never smells of damp.',
      'Made for small bathrooms and busy mornings.',
      'Feels better than it needs to.',
      'Stands up to steam for years.',
    ],
  },
  food: {
    skuPrefix: 'FOO',
    line: 'Reserve',
    lowestPrice: 3,
    highestPrice: 42,
    adjectives: words(`
      Smoky, Golden, Dark, Toasted, Spiced, Wild, Salted, Tangy, Mellow, Slow-Baked,
      Rustic, Zesty, Sweet, Bitter, Peppery, Creamy
    `),
    materials: words(`
      Hazelnut, Almond, Apricot, Honey, Orange, Fig, Cardamom, Chestnut, Ginger, Plum,
      Sesame, Walnut
    `),
    things: words(`
      Granola, Spread, Biscuit Tin, Chocolate Bar, Shortbread, Preserve, Nougat, Syrup,
      Tea Blend, Cracker Box, Brittle, Porridge Mix, Fudge, Drinking Chocolate, Chutney,
      Cake Mix, Snack Bar, Truffle Box, Butter, Toffee
    `),
    praises: [
      'Made in small batches with nothing to hide.',
      'Keeps for months, if you let it.',
      'Short list of ingredients, long finish.',
      'Good on its own and better shared.',
    ],
  },
}
