/** The bar above every page of documents. `textId`: the element to skip to. The search shows once its script runs. */
export const pageHeader = (textId: string): string => `<header id="documents">
      <a class="skip" href="#${textId}">Skip to the text</a>
      <nav aria-label="Documents">
        <a href="/docs/guides/">Guides</a>
        <a href="/docs/">API reference</a>
        <a href="/docs/contract">Contract</a>
      </nav>
      <search hidden>
        <input id="search" type="search" aria-label="Search the documents" aria-keyshortcuts="/" aria-controls="found"
          placeholder="Search  /" autocomplete="off" spellcheck="false" />
        <p role="status" id="search-status"></p>
        <ol id="found" hidden></ol>
      </search>
    </header>`;
