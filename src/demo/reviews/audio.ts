import type { WrittenReview } from '#src/demo/written-review.ts'

/** Reviews of the audio shelf. */
export const AUDIO_REVIEWS: readonly WrittenReview[] = [
  [
    'AUD-OVEREAR',
    5,
    'Mixes translate',
    'Nothing is flattered, which is exactly what I need. Comfortable for four hours.',
  ],
  [
    'AUD-OVEREAR',
    4,
    'Honest headphones',
    'The sound is neutral and the cable swaps sides easily.',
    'They clamp a little until they are broken in.',
  ],
  [
    'AUD-BUDS',
    4,
    'Great for running',
    'They stay put and do not mind rain. Calls in wind are so-so.',
  ],
  [
    'AUD-BUDS',
    2,
    'Left one keeps dropping out',
    'Fine at home, but on a crowded platform the left bud stutters every few seconds.',
  ],
  [
    'AUD-BUDS',
    5,
    'Small case, long battery',
    'I charge the case once a week. Sound is fuller than I expected at this price.',
  ],
  ['AUD-ANC', 5, 'The train disappeared', 'And real buttons! I can change the volume in gloves.'],
  [
    'AUD-KIDS',
    5,
    'Survived two toddlers',
    'Chewed, dropped and sat upon. The volume limit is real; I measured it.',
  ],
  [
    'AUD-BOOKSHELF',
    5,
    'Room-filling and warm',
    'Voices sound like people. Give them thirty centimetres from the wall.',
  ],
  [
    'AUD-PORTABLE',
    4,
    'Goes to the lake with us',
    'It really floats. Bass is modest, as you would expect from something this small.',
  ],
  [
    'AUD-KITCHENRAD',
    5,
    'That dial',
    'Turning it is half the pleasure. Finds our local station without fuss.',
  ],
  [
    'AUD-TURNTABLE',
    5,
    'Out of the box to first record in ten minutes',
    'The cartridge was aligned as promised. Dead quiet between tracks.',
  ],
  [
    'AUD-TURNTABLE',
    3,
    'Fine sound, flimsy lid',
    'No complaints about playback, but the dust cover hinges feel like an afterthought.',
  ],
  [
    'AUD-RECBRUSH',
    5,
    'Less crackle',
    'Ten seconds before each side and the difference is obvious.',
  ],
  ['AUD-CABLE-3', 4, 'Does its job', 'Angled plug fits behind the desk. Slightly stiff when cold.'],
  [
    'AUD-KALIMBA',
    5,
    'Whole family plays it',
    'Sweet tone and only two tines needed tuning. It lives on the coffee table now.',
  ],
]
