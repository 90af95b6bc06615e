const hues: Readonly<Record<string, number>> = {
  kitchen: 24,
  garden: 128,
  books: 42,
  bath: 196,
  audio: 262,
  clothing: 348,
  food: 68,
  office: 214,
  outdoor: 156,
  toys: 12,
}

/** Still lifes on a 200 × 200 canvas; `a` to `c` are the colours, from dark to light. */
const motifs: Readonly<Record<string, string>> = {
  kitchen:
    '<path class="a" d="M58 108h84v28a22 22 0 0 1-22 22H80a22 22 0 0 1-22-22z"/><path class="b" d="M50 96h100v14H50z"/><circle class="a" cx="100" cy="88" r="8"/><path class="s" d="M84 70c-8-10 8-14 0-26m32 26c-8-10 8-14 0-26"/>',
  garden:
    '<path class="a" d="M72 118h56l-8 44H80z"/><path class="b" d="M66 106h68v14H66z"/><path class="s" d="M100 106V62"/><path class="b" d="M100 82c-30 2-34-20-34-30 26-2 36 12 34 30zm0-12c0-24 16-30 32-30 2 20-8 32-32 30z"/>',
  books:
    '<rect class="a" x="54" y="60" width="26" height="98" rx="3"/><rect class="b" x="84" y="48" width="30" height="110" rx="3"/><path class="c" d="m120 66 26-7 24 92-26 7z"/><path class="s" d="M60 76h14m16-8h18m-18 10h18"/>',
  bath: '<path class="b" d="M100 44c26 34 40 52 40 74a40 40 0 0 1-80 0c0-22 14-40 40-74z"/><path class="s" d="M78 122a22 22 0 0 0 20 22"/>',
  audio:
    '<path class="s" d="M56 120v-16a44 44 0 0 1 88 0v16"/><rect class="a" x="46" y="112" width="28" height="46" rx="13"/><rect class="a" x="126" y="112" width="28" height="46" rx="13"/>',
  clothing:
    '<path class="b" d="m74 56-32 20 14 26 14-8v64h60V94l14 8 14-26-32-20a27 27 0 0 1-52 0z"/><path class="s" d="M70 140h60"/>',
  food: '<path class="b" d="M100 78c-26-18-52 0-48 34 4 30 24 48 48 46 24 2 44-16 48-46 4-34-22-52-48-34z"/><path class="s" d="M100 78c0-14 4-22 14-30"/><path class="a" d="M104 62c4-16 18-20 30-18-2 14-12 22-30 18z"/>',
  office:
    '<path class="c" d="M58 48h72l16 16v96H58z"/><path class="b" d="m130 48 16 16h-16z"/><path class="s" d="M74 84h52m-52 20h52m-52 20h34"/><path class="a" d="m140 104 12 12-34 36-16 4 4-16z"/>',
  outdoor:
    '<circle class="c" cx="136" cy="70" r="16"/><path class="a" d="m40 156 44-80 26 46 14-22 36 56z"/><path class="c" d="m84 76 12 22-14 8-10-8z"/>',
  toys: '<rect class="a" x="48" y="106" width="50" height="50" rx="6"/><rect class="b" x="104" y="106" width="50" height="50" rx="6"/><path class="c" d="m100 46 30 52H70z"/><circle class="c" cx="129" cy="131" r="11"/>',
}
const anything =
  '<path class="b" d="m100 52 52 26v52l-52 26-52-26V78z"/><path class="s" d="m48 78 52 26 52-26m-52 26v52"/>'

interface Pictured {
  readonly name: string
  readonly category: string | null
}
type WithImages = Pictured & {
  readonly images?: readonly {
    readonly alt?: string | null
    readonly urls: Readonly<Record<string, string>>
  }[]
}

/** Returns the picture of a product; without one, a drawing for its category in a colour for its name. */
export function pictureOf(
  product: Pictured,
  width: '320' | '640' = '320',
): HTMLElement | SVGElement {
  const [image] = (product as WithImages).images ?? []
  const url = image?.urls[width]
  if (url !== undefined) {
    const picture = document.createElement('img')
    picture.src = `/api${new URL(url, location.href).pathname}`
    picture.alt = image?.alt ?? ''
    picture.loading = 'lazy'
    return picture
  }
  const { name, category } = product
  const seed = [...name].reduce(
    (sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973,
    7,
  )
  const hue = (hues[category ?? ''] ?? 200) + (seed % 24) - 12
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 200 200')
  svg.setAttribute('aria-hidden', 'true')
  svg.classList.add('art')
  svg.style.setProperty('--hue', String(hue))
  const [x, y, r] = [30 + (seed % 140), 20 + (seed % 90), 46 + (seed % 38)]
  svg.innerHTML = `<rect class="ground" width="200" height="200"/><circle class="sun" cx="${x}" cy="${y}" r="${r}"/><path class="table" d="M0 158h200v42H0z"/>${motifs[category ?? ''] ?? anything}`
  return svg
}
