const folder = new URL("../../../docs/", import.meta.url);

/** A page written in Markdown. */
export interface Guide {
  path: string;
  source: URL;
}

const guide = (path: string, file: string): Guide => ({ path, source: new URL(file, folder) });

/** The pages written in Markdown. The first line of each is its title. */
export const guides: readonly Guide[] = [
  guide("/docs/guides/", "guides/index.md"),
  guide("/docs/guides/first-survey", "guides/first-survey.md"),
  guide("/docs/guides/webhooks", "guides/webhooks.md"),
  guide("/docs/webhooks", "receiving-webhooks.md"),
  guide("/docs/guides/surveys-as-code", "guides/surveys-as-code.md"),
  guide("/docs/guides/moving-in", "guides/moving-in.md"),
  guide("/docs/guides/exports", "guides/exports.md"),
  guide("/docs/guides/assistants", "guides/assistants.md"),
  guide("/docs/contract", "contract.md"),
];
