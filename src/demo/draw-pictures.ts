import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { demoPictureName } from './pictures.ts'

/** A drawing on a ground of 1280 by 960; the shapes stand on a table whose edge is at 700. */
interface Drawing {
  readonly wall: string
  readonly table: string
  readonly shapes: string
}

const shadow = (cx: number, width: number): string =>
  `<ellipse cx="${cx}" cy="790" rx="${width}" ry="26" fill="#000" opacity=".12"/>`

const drawings: Readonly<Record<string, Drawing>> = {
  kitchen: {
    wall: '#f3e3d3',
    table: '#d9b48f',
    shapes: `${shadow(640, 300)}
      <path d="M400 430h480v270a90 90 0 0 1-90 90H490a90 90 0 0 1-90-90z" fill="#c8553d"/>
      <path d="M400 430h70v360h-10a60 60 0 0 1-60-60z" fill="#fff" opacity=".15"/>
      <rect x="370" y="390" width="540" height="52" rx="26" fill="#a63f2b"/>
      <circle cx="640" cy="360" r="34" fill="#3d2b24"/>
      <path d="M400 500h-70a34 34 0 0 0 0 68h70M880 500h70a34 34 0 0 1 0 68h-70" fill="none" stroke="#3d2b24" stroke-width="26"/>`,
  },
  garden: {
    wall: '#e4efdc',
    table: '#a9c193',
    shapes: `${shadow(640, 230)}
      <path d="M640 560C640 400 560 300 440 260c0 140 60 240 200 300z" fill="#5b8c5a"/>
      <path d="M640 560C640 380 730 250 870 220c0 170-80 290-230 340z" fill="#3f6f4f"/>
      <path d="M640 560C610 420 620 300 660 170c60 130 60 260-20 390z" fill="#7fb069"/>
      <path d="M470 550h340l-46 240H516z" fill="#c9703f"/>
      <rect x="446" y="520" width="388" height="70" rx="12" fill="#b25c2e"/>`,
  },
  books: {
    wall: '#e9e4f0',
    table: '#b9a7c9',
    shapes: `${shadow(640, 330)}
      <rect x="350" y="690" width="560" height="100" rx="10" fill="#34495e"/>
      <rect x="380" y="590" width="520" height="100" rx="10" fill="#e0a458"/>
      <rect x="360" y="490" width="500" height="100" rx="10" fill="#7a4988"/>
      <path d="M380 712h500v14H380zM410 612h460v14H410zM390 512h440v14H390z" fill="#fff" opacity=".5"/>
      <path d="M640 490c-90-70-190-70-240-40V240c70-30 170-20 240 50 70-70 170-80 240-50v210c-50-30-150-30-240 40z" fill="#fdfaf3"/>
      <path d="M640 290v200" stroke="#c9bfa8" stroke-width="8"/>`,
  },
  audio: {
    wall: '#dde6ee',
    table: '#98abbd',
    shapes: `${shadow(640, 290)}
      <path d="M380 600V520a260 260 0 0 1 520 0v80" fill="none" stroke="#2c3e50" stroke-width="56"/>
      <rect x="330" y="540" width="130" height="240" rx="60" fill="#e07a5f"/>
      <rect x="820" y="540" width="130" height="240" rx="60" fill="#e07a5f"/>
      <rect x="430" y="560" width="50" height="200" rx="24" fill="#2c3e50"/>
      <rect x="800" y="560" width="50" height="200" rx="24" fill="#2c3e50"/>`,
  },
  toys: {
    wall: '#fdf0cf',
    table: '#eac678',
    shapes: `${shadow(640, 340)}
      <rect x="350" y="590" width="200" height="200" rx="18" fill="#d1495b"/>
      <rect x="560" y="590" width="200" height="200" rx="18" fill="#2e86ab"/>
      <rect x="770" y="590" width="200" height="200" rx="18" fill="#5b8c5a"/>
      <rect x="455" y="380" width="200" height="200" rx="18" fill="#edae49"/>
      <path d="M780 580l110-200 110 200z" transform="translate(-120)" fill="#7a4988"/>
      <circle cx="450" cy="690" r="52" fill="#fff" opacity=".75"/>
      <path d="M620 650h80v80h-80z" fill="#fff" opacity=".75"/>
      <path d="M870 640l56 100H814z" fill="#fff" opacity=".75"/>
      <circle cx="555" cy="480" r="46" fill="#fff" opacity=".75"/>`,
  },
  outdoor: {
    wall: '#d3e7ea',
    table: '#8fae7e',
    shapes: `<circle cx="960" cy="250" r="90" fill="#f6d186"/>
      <path d="M0 700l300-330 200 220 180-200 330 310z" fill="#7d9aa5" opacity=".6"/>
      ${shadow(640, 360)}
      <path d="M640 330l330 460H310z" fill="#e07a3f"/>
      <path d="M640 330l120 460H520z" fill="#3d405b"/>
      <path d="M640 330l-330 460h110z" fill="#fff" opacity=".2"/>`,
  },
  office: {
    wall: '#e8e8e3',
    table: '#c2b8a3',
    shapes: `${shadow(640, 300)}
      <path d="M560 300l40 280M650 250l0 330M740 290l-50 290" stroke="#d9a441" stroke-width="34" stroke-linecap="round"/>
      <path d="M543 302l34-4-23-52zM633 250h34l-17-52zM723 287l34 6-8-54z" fill="#3d405b"/>
      <path d="M500 520h280l-24 270H524z" fill="#4f6d7a"/>
      <path d="M500 520h70l-4 270h-42z" fill="#fff" opacity=".18"/>
      <rect x="820" y="690" width="190" height="100" rx="10" fill="#c8553d"/>
      <path d="M844 715h142M844 745h100" stroke="#fff" stroke-width="10" opacity=".7"/>`,
  },
  clothing: {
    wall: '#f2e6e6',
    table: '#cda9a4',
    shapes: `${shadow(640, 260)}
      <path d="M520 300l-200 90 60 150 80-30v280h360V510l80 30 60-150-200-90c-30 60-210 60-240 0z" fill="#3f5e7b"/>
      <path d="M520 300c30 60 210 60 240 0" fill="none" stroke="#f2e6e6" stroke-width="18"/>
      <path d="M460 600h360v60H460z" fill="#e9c46a"/>
      <path d="M460 690h360v30H460z" fill="#e9c46a" opacity=".7"/>`,
  },
  bath: {
    wall: '#dff0ee',
    table: '#9cc9c4',
    shapes: `${shadow(640, 320)}
      <rect x="360" y="700" width="460" height="90" rx="45" fill="#f7f3e9"/>
      <rect x="380" y="610" width="430" height="90" rx="45" fill="#e7a977"/>
      <rect x="370" y="520" width="440" height="90" rx="45" fill="#4f9d98"/>
      <path d="M400 745h380M410 655h360M400 565h370" stroke="#000" stroke-width="6" opacity=".12"/>
      <path d="M870 520h90v-70h-30v-40h-30v40h-30z" fill="#3d405b"/>
      <rect x="840" y="510" width="150" height="280" rx="30" fill="#f4d58d"/>
      <rect x="866" y="610" width="98" height="90" fill="#fff" opacity=".8"/>`,
  },
  food: {
    wall: '#f7e9c9',
    table: '#cfa15c',
    shapes: `${shadow(640, 320)}
      <rect x="360" y="470" width="230" height="320" rx="36" fill="#e2a03f"/>
      <rect x="350" y="410" width="250" height="76" rx="16" fill="#6b4226"/>
      <rect x="390" y="570" width="170" height="130" rx="10" fill="#fdf6e3"/>
      <path d="M740 790V500c0-40 30-60 30-110V260h80v130c0 50 30 70 30 110v290a0 0 0 0 1 0 0z" fill="#5f7a3a"/>
      <rect x="760" y="220" width="100" height="60" rx="10" fill="#3b2f1e"/>
      <rect x="756" y="580" width="108" height="120" rx="8" fill="#fdf6e3"/>
      <circle cx="810" cy="640" r="30" fill="#5f7a3a"/>
      <circle cx="475" cy="635" r="36" fill="#e2a03f"/>`,
  },
}

const svgOf = ({ wall, table, shapes }: Drawing): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 960" width="1280" height="960">
    <rect width="1280" height="960" fill="${wall}"/>
    <circle cx="640" cy="520" r="400" fill="#fff" opacity=".35"/>
    <rect y="700" width="1280" height="260" fill="${table}"/>
    ${shapes}</svg>`)

/** Draws the pictures of the demo shop again. */
const folder = fileURLToPath(new URL('./pictures/', import.meta.url))
await mkdir(folder, { recursive: true })
for (const [category, drawing] of Object.entries(drawings)) {
  for (const width of [320, 640, 1280]) {
    const picture = sharp(svgOf(drawing)).resize({ width }).webp({ quality: 82, effort: 6 })
    await picture.toFile(`${folder}${demoPictureName(category, width)}`)
  }
}
