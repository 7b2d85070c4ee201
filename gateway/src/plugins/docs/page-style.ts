/** The bar above every page of documents. `light-dark` follows the scheme of the element that uses it. */
export const headerStyle = `
  :root { --ink: light-dark(#1c2523, #e4ebe9); --paper: light-dark(#fff, #121816); }
  :root { --line: light-dark(#d5dedb, #31403c); --shade: light-dark(#f2f6f5, #1b2421); --accent: light-dark(#0b5a4a, #7fd6bd); --edge: light-dark(#6b7a76, #8b9a96); }
  #documents { position: sticky; top: 0; z-index: 20; display: flex; align-items: center; gap: 1rem; height: 3.25rem;
    box-sizing: border-box; padding: 0 1.25rem; background: var(--paper); color: var(--ink); border-bottom: 1px solid var(--line);
    font: 0.95rem/1.4 system-ui, sans-serif; }
  #documents a { color: var(--accent); }
  #documents nav { display: flex; gap: 1rem; margin-right: auto; }
  #documents nav a { padding: 0.5rem 0; text-decoration: none; white-space: nowrap; }
  #documents nav a:hover { text-decoration: underline; }
  #documents .skip { position: absolute; left: -100vw; padding: 0.5rem; background: var(--paper); }
  #documents .skip:focus { left: 0.5rem; z-index: 1; }
  #documents search:not([hidden]) { display: block; flex: 0 1 15rem; min-width: 5rem; }
  #documents input { box-sizing: border-box; width: 100%; font: inherit; padding: 0.4rem 0.6rem; color: inherit; background: var(--shade);
    border: 1px solid var(--edge); border-radius: 0.4rem; }
  #documents :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  #documents [role="status"] { position: absolute; right: 1.25rem; top: 3.25rem; margin: 0; width: min(32rem, 100vw - 2.5rem);
    box-sizing: border-box; background: var(--paper); }
  #documents [role="status"]:not(:empty) { padding: 0.4rem 0.75rem; border: 1px solid var(--line); border-top: 0; font-size: 0.85rem; }
  #found { position: absolute; right: 1.25rem; top: 5.2rem; margin: 0; padding: 0; width: min(32rem, 100vw - 2.5rem); list-style: none;
    box-sizing: border-box; max-height: 70vh; overflow-y: auto; background: var(--paper); border: 1px solid var(--line);
    border-radius: 0 0 0.4rem 0.4rem; box-shadow: 0 0.5rem 1rem rgb(0 0 0 / 0.2); }
  #documents #found a { display: block; padding: 0.5rem 0.75rem; color: inherit; text-decoration: none; border-top: 1px solid var(--line); }
  #documents #found a:hover, #documents #found a:focus { background: var(--shade); outline-offset: -2px; }
  #found b { color: var(--accent); margin-right: 0.5rem; }
  #found span { font-size: 0.85rem; }
  #found small { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  @media (max-width: 40rem) {
    #documents { padding: 0 0.75rem; gap: 0.6rem; font-size: 0.85rem; }
    #documents nav { gap: 0.7rem; }
    #documents [role="status"], #found { right: 0.75rem; width: calc(100vw - 1.5rem); }
  }
`;

/** Leaves room for the bar, and gives it the colours that the reader has chosen on the reference page. */
export const referenceStyle = `
  :root { --scalar-custom-header-height: 3.25rem; }
  body { margin: 0; }
  .dark-mode #documents { color-scheme: dark; }
  .light-mode #documents { color-scheme: light; }
`;

export const pageStyle = `
  :root { color-scheme: light dark; scroll-padding-top: 4rem; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
  main { max-width: 48rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
  a { color: var(--accent); }
  h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.5rem 0 1rem; }
  h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
  code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--shade); border-radius: 0.25rem; padding: 0.1em 0.3em; }
  figure { margin: 1rem 0; }
  figcaption { font: 0.8rem/1.5 ui-monospace, monospace; padding: 0.3rem 1rem; border: 1px solid var(--line);
    border-bottom: 0; border-radius: 0.4rem 0.4rem 0 0; width: fit-content; }
  pre { margin: 0; padding: 0.85rem 1rem; overflow-x: auto; background: var(--shade); border: 1px solid var(--line);
    border-radius: 0.4rem; }
  figcaption + pre { border-top-left-radius: 0; }
  pre code { background: none; padding: 0; overflow-wrap: normal; }
  .table { overflow-x: auto; margin: 1rem 0; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
  td:first-child { min-width: 5.5rem; }
  @media (max-width: 30rem) { table { font-size: 0.875rem; } th, td { padding-right: 0.4rem; } td:first-child { min-width: 0; } }
  details { border: 1px solid var(--line); border-radius: 0.4rem; margin: 0.5rem 0; padding: 0 1rem; }
  summary { cursor: pointer; font-weight: 600; padding: 0.6rem 0; }
  h3 { font-size: 1.05rem; margin: 1.75rem 0 0.5rem; }
  figure[data-name="output"] pre { background: none; border-style: dashed; }
  figure:has(+ figure[data-name="output"]) { margin-bottom: 0.5rem; }
  pre:focus-visible, .table:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  @supports selector(::details-content) {
    .tabs { display: grid; grid-template-columns: repeat(3, auto) 1fr; margin: 1.5rem 0; }
    .tabs details { display: contents; }
    .tabs summary { grid-row: 1; list-style: none; padding: 0.5rem 1.1rem; border-bottom: 3px solid transparent; }
    .tabs [open] summary { border-color: var(--accent); color: var(--accent); }
    .tabs details::details-content { grid-row: 2; grid-column: 1 / -1; min-width: 0; border-top: 1px solid var(--line); }
  }
`;
