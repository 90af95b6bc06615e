import { textKey } from '#values/text-key.ts'

/** Where the commonest carriers show what became of a parcel; `{}` stands for its number. */
const carriers: Readonly<Record<string, string>> = {
  'australia post': 'https://auspost.com.au/mypost/track/details/{}',
  'canada post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor={}',
  chronopost: 'https://www.chronopost.fr/tracking-no-cms/suivi-page?listeNumerosLT={}',
  colissimo: 'https://www.laposte.fr/outils/suivre-vos-envois?code={}',
  correos:
    'https://www.correos.es/es/es/herramientas/localizador/envios/detalle?tracking-number={}',
  dhl: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id={}',
  dpd: 'https://tracking.dpd.de/status/en_US/parcel/{}',
  evri: 'https://www.evri.com/track/parcel/{}',
  fedex: 'https://www.fedex.com/fedextrack/?trknbr={}',
  gls: 'https://gls-group.com/track/{}',
  'la poste': 'https://www.laposte.fr/outils/suivre-vos-envois?code={}',
  'poste italiane': 'https://www.poste.it/cerca/index.html#/risultati-spedizioni/{}',
  'royal mail': 'https://www.royalmail.com/track-your-item#/tracking-results/{}',
  'swiss post': 'https://service.post.ch/ekp-web/ui/entry/search/{}',
  ups: 'https://www.ups.com/track?tracknum={}',
  usps: 'https://tools.usps.com/go/TrackConfirmAction?tLabels={}',
}

/** Returns the page that tracks a parcel by its number; null for another carrier, and without a number. */
export function trackingUrlOf({
  carrier,
  tracking_number: number,
}: {
  readonly carrier: string | null
  readonly tracking_number: string | null
}): string | null {
  if (carrier === null || number === null) return null
  const page = carriers[textKey(carrier)]
  return page?.replace('{}', encodeURIComponent(number)) ?? null
}
