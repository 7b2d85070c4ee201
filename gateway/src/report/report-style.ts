import { createHash } from "node:crypto";

export const reportStyle = `:root{color-scheme:light dark;--bar:#1f7a64;--line:#9aa5a1;--soft:#f2f5f4;--text:#17211e;--quiet:#54625d;--page:#fff;
--part0:#1f7a64;--part1:#e0a63a;--part2:#4a6fb5;--part3:#c8553d;--part4:#8d6bb0;--part5:#5fa8a0;--part6:#8a7a5c;--part7:#c37fa3}
@media (prefers-color-scheme:dark) and screen{:root{--bar:#5cc7a9;--line:#5d6a66;--soft:#1d2624;--text:#e6ecea;--quiet:#a7b3af;--page:#121816;
--part0:#5cc7a9;--part1:#e8bd66;--part2:#86a6e0;--part3:#e58b76;--part4:#b79ad6;--part5:#93cdc6;--part6:#bbab8b;--part7:#e0a9c5}}
*{box-sizing:border-box}body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:60rem;background:var(--page);color:var(--text);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{margin:0 0 .25rem;font-size:1.6rem;line-height:1.25}
h2{margin:0;font-size:1.1rem;line-height:1.35}h3{margin:0 0 .25rem;font-size:1rem}.number{color:var(--quiet);font-weight:400}
.facts,.note,.none,.at{margin:.2rem 0 .75rem;color:var(--quiet);font-size:.9rem}
.filter{margin:.75rem 0;padding:.6rem .8rem;border-inline-start:4px solid var(--bar);background:var(--soft)}.filter p,.filter ul{margin:0}.filter ul{padding-inline-start:1.2rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.25rem 0}dl div{padding:.6rem .8rem;background:var(--soft);border-radius:.5rem}
dt{color:var(--quiet);font-size:.85rem}dd{margin:0;font-size:1.35rem;font-variant-numeric:tabular-nums}
section{padding:1.25rem 0;border-top:1px solid var(--soft)}figure{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem;margin:0 0 1rem}
svg{display:block;width:100%;max-width:32rem;height:auto}svg text{font:12px system-ui,sans-serif}.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
.scroll+.scroll{margin-top:1rem}td small{display:block;color:var(--quiet);font-size:.85em}.total>*{font-weight:600}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}th,td{padding:.2rem .75rem .2rem 0;text-align:end;vertical-align:top}td{white-space:nowrap}
th[scope=row]{min-width:8rem;font-weight:400;text-align:start}thead td:first-child,thead th:first-child{text-align:start}thead th{overflow-wrap:normal;color:var(--quiet);font-weight:400;font-size:.8rem}tbody tr{border-top:1px solid var(--soft)}
i{display:inline-block;width:.7em;height:.7em;margin-inline-end:.35em;border-radius:2px}${[0, 1, 2, 3, 4, 5, 6, 7].map((part) => `.part${part}{background:var(--part${part})}`).join("")}
@media (min-width:52rem){figure:has(>svg):not(.below),.beside{grid-template-columns:minmax(0,1fr) minmax(0,1fr);align-items:start}h3,.note{grid-column:1/-1;margin:0}}
@media screen{th:has(>i){min-width:5.5rem}}
@media print{.scroll{overflow:visible}thead th{overflow-wrap:anywhere}body{max-width:none;padding:0;font-size:12px}svg,tr,h2,h3,dl,.facts,.filter,figure:not(:has(tr:nth-child(12))){break-inside:avoid}h2,h3,.facts,svg,thead{break-after:avoid}figure{display:block}svg{max-width:24rem;margin-bottom:.75rem}*{print-color-adjust:exact}}`;

const styleHash = createHash("sha256").update(reportStyle).digest("base64");

/** The page loads and runs nothing, and its only style is this sheet. A saved copy keeps the policy. */
export const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
];

export const reportEnd = "</main></body></html>\n";
