/** The style of the page, for light and dark screens. */
export const STYLE = `
:root {
  --back: #fff; --text: #1b1f24; --dim: #5b6470; --line: #d8dee4; --soft: #f5f7f9; --link: #0a58ca;
  --ok: #d7f0dd; --ok-text: #14532d; --excused: #d5e8f8; --excused-text: #0b3f66;
  --warning: #fdeeb5; --warning-text: #6b4700; --error: #fbd5d5; --error-text: #8c1414;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --text: #e4e8ec; --dim: #98a2ad; --line: #343b43; --soft: #1d2127; --link: #7ab4ff;
    --ok: #17402a; --ok-text: #aee9c1; --excused: #163a56; --excused-text: #b5dcfb;
    --warning: #4d3b08; --warning-text: #fbe08a; --error: #5a1d1d; --error-text: #ffc4c4;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; font-weight: 400; margin: 0 0 .5rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
code, pre { font: .875em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre, .command { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .15rem .4rem; }
pre { padding: .5rem; overflow-x: auto; }
.command { overflow-wrap: anywhere; }
.dim { color: var(--dim); }
.summary { display: inline-block; border-radius: 4px; padding: .2rem .6rem; font-weight: 600; }
.ok { background: var(--ok); color: var(--ok-text); }
.excused { background: var(--excused); color: var(--excused-text); }
.summary.warning, .cell.warning { background: var(--warning); color: var(--warning-text); }
.summary.error, .cell.error { background: var(--error); color: var(--error-text); }
.problem { border: 1px solid var(--line); border-left: 4px solid var(--error-text); border-radius: 4px;
  padding: .75rem 1rem; margin: .75rem 0; }
.problem.warning { border-left-color: var(--warning-text); }
dl { display: grid; grid-template-columns: 8.5rem 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
th { text-align: left; font-weight: 400; white-space: nowrap; }
th.title { vertical-align: bottom; color: var(--dim); padding-right: 1rem; }
th[scope=col] { height: calc(var(--longest) * .36rem + 1.2rem); min-width: 1.9rem; vertical-align: bottom; padding: 0; }
th[scope=col] span { display: block; width: 1.9rem; white-space: nowrap; transform-origin: left bottom;
  transform: translateX(1.45rem) rotate(-60deg); font-size: .8rem; color: var(--dim); }
th[scope=row] { padding-right: 1rem; position: sticky; left: 0; background: var(--back); }
td { padding: 1px; }
.cell { display: inline-block; width: 1.75rem; line-height: 1.6rem; text-align: center; border-radius: 3px; font-style: normal;
  font-weight: 600; text-decoration: none; font-family: ui-monospace, monospace; }
.cell.waiting { height: 1.6rem; vertical-align: bottom; border: 1px dashed var(--line); }
a.cell:hover, a.cell:focus { outline: 2px solid var(--link); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .875rem; }
.run { border-bottom: 1px solid var(--line); }
.run summary { cursor: pointer; padding: .25rem 0; }
.run > div { padding: 0 0 .75rem 1.25rem; scroll-margin-top: 4rem; }
.run > div:target { outline: 2px solid var(--link); outline-offset: 4px; border-radius: 2px; }
.timeline td { padding: .1rem .9rem .1rem 0; white-space: nowrap; font: .8125rem/1.5 ui-monospace, monospace; }
.timeline td:first-child { text-align: right; color: var(--dim); }
.timeline .deviating td { background: var(--warning); color: var(--warning-text); }
`
