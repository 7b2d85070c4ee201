export const receiversStyle = `
  :root { color-scheme: light dark; --ink: light-dark(#1c2523, #e4ebe9); --paper: light-dark(#fff, #121816); }
  :root { --line: light-dark(#d5dedb, #31403c); --shade: light-dark(#f2f6f5, #1b2421); --accent: light-dark(#0b5a4a, #7fd6bd); }
  body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 48rem; background: var(--paper); color: var(--ink);
    font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
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
`;
