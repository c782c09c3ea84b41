/** The look of the reference page: one column of contents, one of text; light and dark by the reader's choice. */
export const DOCS_STYLE = `
:root{--ink:#1b2733;--soft:#5b6b7a;--paper:#fff;--side:#f5f7f9;--line:#dde3e9;--accent:#0b5cad;--code:#f0f3f6;--get:#12715b;--post:#0b5cad;--put:#8a5a00;--delete:#a62b2b}
@media (prefers-color-scheme:dark){:root{--ink:#e4ebf1;--soft:#9fb0bf;--paper:#11181f;--side:#0c1217;--line:#26323d;--accent:#74b5f5;--code:#1a242d;--get:#57c8ab;--post:#74b5f5;--put:#dba94c;--delete:#ee8a8a}}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{background:var(--side);border-right:1px solid var(--line);padding:1.5rem 1.25rem;height:100vh;position:sticky;top:0;overflow-y:auto;font-size:.875rem}
nav h2{font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:1.25rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:block;padding:.15rem 0;text-decoration:none;color:inherit;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
nav li a:hover code{color:var(--accent)}nav code{background:none;padding:0;font-size:.8125rem}
.brand{font-size:1.25rem;font-weight:700;color:inherit;text-decoration:none}a{color:var(--accent)}
main{padding:2rem clamp(1rem,4vw,4rem) 4rem;max-width:64rem}
h1{font-size:2rem;margin:0 0 1rem}.chapter{font-size:1.5rem;margin:3rem 0 1rem;padding-bottom:.4rem;border-bottom:2px solid var(--line)}
article{padding:1.25rem 0 1.5rem;border-bottom:1px solid var(--line)}h3{font-size:1.05rem;margin:0 0 .25rem;overflow-wrap:anywhere}
h3 i{font:normal .75rem system-ui;color:var(--soft);border:1px solid var(--line);border-radius:1rem;padding:.1rem .55rem;margin-left:.4rem}
.lead{margin:.25rem 0 .75rem}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{background:var(--code);border-radius:.25rem;padding:.1em .3em;font-size:.875em}var{color:var(--accent);font-style:normal}
pre{background:var(--code);border-radius:.5rem;padding:.85rem 1rem;overflow-x:auto;font-size:.8125rem;line-height:1.5}
.m{display:inline-block;min-width:4.4em;font:700 .75rem ui-monospace,Menlo,monospace;color:var(--get)}
.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.875rem;margin:.5rem 0}caption{text-align:left;font-weight:600;padding:.3rem 0}
td{border-top:1px solid var(--line);padding:.4rem .75rem .4rem 0;vertical-align:top}td:first-child{white-space:nowrap}td:nth-child(2){white-space:nowrap;color:var(--soft)}td.text:nth-child(2){white-space:normal;color:inherit}
.req{color:var(--delete);font-size:.75rem;font-weight:600}details summary{cursor:pointer;color:var(--accent);font-size:.875rem}
footer{margin-top:3rem;color:var(--soft);font-size:.8125rem}footer a{color:inherit}
@media (max-width:52rem){body{display:block}nav{height:auto;position:static;border-right:0;border-bottom:1px solid var(--line);max-height:45vh}main{padding-top:1.25rem}td{padding-right:.5rem}}
`;
