/** The style of the page, for light and dark mode, wide and narrow windows, and print. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6678;--paper:#fff;--wash:#f5f7fa;--line:#dde3ea;--accent:#3257c8;
--get:#1d7a4c;--post:#8a5a00;--put:#6a3fb5;--patch:#6a3fb5;--delete:#b3261e;--options:#5b6678}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ef;--soft:#9aa6b8;--paper:#12161d;--wash:#1a2029;--line:#2b3442;
--accent:#8fb0ff;--get:#5fd39a;--post:#e8b34a;--put:#bb9bf5;--patch:#bb9bf5;--delete:#ff8f86;--options:#9aa6b8}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:grid;
grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--accent);text-decoration:none}a:hover,main p a{text-decoration:underline}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1.25rem;background:var(--wash);
border-right:1px solid var(--line);font-size:.875rem}
nav b{display:block;font-size:1.05rem;margin-bottom:.5rem}
nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.5rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav li{padding:.1rem 0}nav a{color:inherit}
main{padding:2rem clamp(1rem,4vw,3.5rem) 6rem;max-width:66rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
section.api+section.api{margin-top:4rem;padding-top:3rem;border-top:1px solid var(--line)}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}h2 small{font-weight:400;color:var(--soft);margin-left:.5rem}
h3{font-size:.8rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft);margin:1.25rem 0 .4rem}
code,pre,.path{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
code{background:var(--wash);padding:.1em .3em;border-radius:4px}
pre{background:var(--wash);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem;overflow-x:auto;margin:.4rem 0}
pre code{background:none;padding:0}
details{border:1px solid var(--line);border-radius:10px;margin:.5rem 0;background:var(--paper)}
details[open]{box-shadow:0 1px 6px rgb(0 0 0/.08)}
summary{cursor:pointer;padding:.6rem 1rem;display:flex;gap:.75rem;align-items:baseline;flex-wrap:wrap;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--wash);border-radius:10px}
summary .what{color:var(--soft);margin-left:auto;font-size:.9rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.body{padding:0 1rem 1rem;scroll-margin-top:4rem}
.method{font:600 .75rem ui-monospace,Menlo,monospace;min-width:4rem;letter-spacing:.03em}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}
.delete{color:var(--delete)}.options{color:var(--options)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td:first-child{white-space:nowrap}.type{color:var(--soft)}
.need{color:var(--delete);font-weight:600}
@media (max-width:52rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}}
@media print{nav{display:none}body{display:block}}
`
