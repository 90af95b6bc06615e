import { Html, sourceHash } from './html.ts'

const rules = `
:root {
  color-scheme: light dark;
  --page: #f3f4f1;
  --card: #ffffff;
  --text: #1d2420;
  --quiet: #57615b;
  --line: #d5dad6;
  --field: #8a938d;
  --brand: #14633f;
  --brand-strong: #0d4a2e;
  --on-brand: #ffffff;
  --tint: #e9f2ec;
  --caution: #7a4b00;
  --caution-line: #c98a1b;
  --caution-tint: #fdf4e1;
  --wrong: #a8201a;
  --wrong-tint: #fdeeed;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101412;
    --card: #1a201d;
    --text: #ecf1ee;
    --quiet: #a9b4ae;
    --line: #333d38;
    --field: #7f8b85;
    --brand: #6fcf9c;
    --brand-strong: #93e0b6;
    --on-brand: #0a2417;
    --tint: #1d3127;
    --caution: #f3c977;
    --caution-line: #b98428;
    --caution-tint: #2f2512;
    --wrong: #ff9c94;
    --wrong-tint: #35191a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  align-items: center;
  padding: clamp(1rem, 8vh, 5rem) 1rem 2rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC",
    "Microsoft YaHei", sans-serif;
}
.brand {
  display: flex;
  align-items: center;
  gap: .55rem;
  margin: 0 0 1.25rem;
  font-weight: 650;
  font-size: 1.05rem;
  letter-spacing: -.01em;
}
.brand svg { width: 1.6rem; height: 1.6rem; color: var(--brand); }
main {
  width: 100%;
  max-width: 26rem;
  padding: 2rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 14px;
  box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 32px -16px rgb(0 0 0 / .18);
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { margin: 0 0 .25rem; font-size: 1rem; }
p { margin: .4rem 0 0; }
.lead, .quiet { color: var(--quiet); overflow-wrap: anywhere; }
.quiet { font-size: .9rem; }
form { margin-top: 1.5rem; }
label { display: block; margin-bottom: .3rem; font-weight: 600; font-size: .95rem; }
.field { margin-bottom: 1.1rem; }
.field p { margin: 0 0 .3rem; color: var(--wrong); font-size: .9rem; font-weight: 600; }
input[type="text"], input[type="password"] {
  width: 100%;
  min-height: 2.9rem;
  padding: .6rem .75rem;
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--field);
  border-radius: 8px;
}
input[aria-invalid="true"] { border-color: var(--wrong); border-width: 2px; }
.check { display: flex; align-items: center; gap: .6rem; margin-bottom: 1.4rem; min-height: 1.5rem; }
.check input { flex: none; width: 1.2rem; height: 1.2rem; margin: 0; accent-color: var(--brand); }
.check label { margin: 0; font-weight: 400; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button, .button {
  flex: 1 1 9rem;
  min-height: 2.9rem;
  padding: .6rem 1.1rem;
  font: inherit;
  font-weight: 650;
  border-radius: 8px;
  border: 1px solid var(--field);
  background: transparent;
  color: inherit;
  cursor: pointer;
}
.button { display: inline-block; text-align: center; text-decoration: none; }
button:hover, .button:hover { border-color: var(--text); }
.main:is(button, .button) { background: var(--brand); border-color: var(--brand); color: var(--on-brand); }
.main:is(button, .button):hover { background: var(--brand-strong); border-color: var(--brand-strong); }
a { color: var(--brand); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
.problem {
  margin: 1.25rem 0 0;
  padding: .9rem 1rem;
  background: var(--wrong-tint);
  border: 1px solid var(--wrong);
  border-left-width: 5px;
  border-radius: 8px;
}
.problem ul { margin: 0; padding: 0; list-style: none; }
.problem a { color: var(--wrong); font-weight: 600; }
.scopes { margin: 1.25rem 0 0; padding: 1rem 1.1rem; background: var(--tint); border-radius: 10px; }
.scopes ul { margin: .35rem 0 0; padding: 0; list-style: none; }
.scopes li { position: relative; padding: .2rem 0 .2rem 1.7rem; }
.scopes li::before {
  content: "";
  position: absolute;
  left: .2rem;
  top: .55rem;
  width: .8rem;
  height: .4rem;
  border: solid var(--brand);
  border-width: 0 0 .16rem .16rem;
  transform: rotate(-45deg);
}
.scopes.rejected { background: transparent; border: 1px solid var(--line); color: var(--quiet); }
.scopes.rejected li::before {
  top: .85rem;
  height: 0;
  border-color: var(--quiet);
  border-width: 0 0 .14rem;
  transform: none;
}
.caution {
  margin-top: 1.25rem;
  padding: .8rem 1rem;
  background: var(--caution-tint);
  border: 1px solid var(--caution-line);
  border-left-width: 5px;
  border-radius: 8px;
  color: var(--caution);
  font-weight: 600;
}
.term { margin-top: 1.25rem; }
.term p { margin: 0; }
.note { margin-top: 1.25rem; }
.links { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1.25rem 0 0; font-size: .9rem; }
.amount {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: .2rem 1rem;
  margin: 1.5rem 0 0;
  padding: 1rem 1.1rem;
  background: var(--tint);
  border-radius: 10px;
}
.amount dt { color: var(--quiet); }
.amount dd {
  margin: 0;
  font-size: 1.6rem;
  font-weight: 700;
  letter-spacing: -.02em;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
p.actions { margin-top: 1.5rem; }
.footnote {
  margin-top: 1.5rem;
  padding-top: 1rem;
  border-top: 1px solid var(--line);
  color: var(--quiet);
  font-size: .9rem;
}
details { margin-top: 1.5rem; color: var(--quiet); font-size: .9rem; }
summary { cursor: pointer; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  body { padding-top: 1rem; }
  main { padding: 1.4rem 1.2rem; }
}
@media (prefers-contrast: more) { main, button, .problem, .caution, .scopes { border-color: currentcolor; } }
@media (forced-colors: active) { .scopes li::before { border-color: CanvasText; } }
`

/** The inline style element of every page. */
export const style = new Html(`<style>${rules}</style>`)

/** The hash-source of the style, for the content security policy. */
export const styleHash = sourceHash(rules)
