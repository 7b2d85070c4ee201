import {
  findElement,
  questionTypeOf,
  shownElements,
  shownEntries,
  shownItems,
  shownPages,
  shuffledLists,
  type Page,
  type Question,
  type ShuffledList,
  type SurveyDefinition,
} from "@canvass/questions";

/** Returns the ids of a list's entries in the order that a respondent of a version saw; null without a seed. */
export type ReadOrder = (versionNumber: number, seed: number | null) => string[] | null;

export interface ShownOrders {
  add(versionNumber: number, definition: SurveyDefinition): void;
  /** The lists of a question that any version shuffles. */
  of(question: Question): { list: ShuffledList; read: ReadOrder }[];
  /** What any version shuffles of pages: their elements, by questionId, the items of their loop, or all of a block. */
  pages(): { page: Page; what: "elements" | "items" | "pages"; read: ReadOrder; names: ReadonlyMap<string, string> }[];
}

type Shuffled = Omit<ReturnType<ShownOrders["pages"]>[number], "read"> & {
  byVersion: Map<number, (seed: number) => string[]>;
};

/** Keeps of each version the lists that it shuffles. */
export function createShownOrders(): ShownOrders {
  const versions = new Map<string, Map<number, Question>>();
  const shuffledPages = new Map<string, Shuffled>();
  const keyOf = ({ questionId, type }: Question, list: ShuffledList) => `${questionId} ${type} ${list}`;

  function addPage(versionNumber: number, page: Page, what: Shuffled["what"], entries: Entries, order: Order): void {
    const key = `${what === "pages" ? page.block : page.pageId} ${what}`;
    const known = shuffledPages.get(key);
    const names = new Map([...(known?.names ?? []), ...entries]);
    const byVersion = (known?.byVersion ?? new Map<number, Order>()).set(versionNumber, order);
    shuffledPages.set(key, { page, what, names, byVersion });
  }

  function add(versionNumber: number, definition: SurveyDefinition): void {
    const { pages } = definition;
    for (const page of pages) {
      const { pageId, elements, loop, shuffle } = page;
      const asked = elements.map(({ questionId, text }) => [questionId, text ?? ""] as const);
      if (shuffle) {
        const ids = asked.map(([id]) => id);
        addPage(versionNumber, page, "elements", asked, (seed) => shownElements(pageId, ids, seed));
      }
      const source = loop?.shuffle ? findElement(definition, loop.elementId)?.question : undefined;
      if (source) addItems(versionNumber, page, source);
    }
    for (const block of Map.groupBy(pages, (page) => page.block).values()) addBlock(versionNumber, block);
    for (const question of pages.flatMap(({ elements }) => elements)) {
      for (const list of shuffledLists(question.typeSettings)) {
        const key = keyOf(question, list);
        versions.set(key, (versions.get(key) ?? new Map<number, Question>()).set(versionNumber, question));
      }
    }
  }

  function of(question: Question) {
    const { lists } = questionTypeOf(question);
    return (Object.keys(lists) as ShuffledList[]).flatMap((list) => {
      const byVersion = versions.get(keyOf(question, list));
      if (!byVersion) return [];
      const read: ReadOrder = (versionNumber, seed) => {
        const asked = byVersion.get(versionNumber);
        if (!asked || !seed) return null;
        return shownEntries(asked.elementId, asked, list, seed).map(({ id }) => id);
      };
      return [{ list, read }];
    });
  }

  function addItems(versionNumber: number, page: Page, source: Question): void {
    const { other } = source.typeSettings as { other?: { enabled: boolean; label: string; choiceId: string | null } };
    const otherId = other?.enabled ? other.choiceId : null;
    const choices = [
      ...(source.choices ?? []).filter(({ retired }) => !retired),
      ...(otherId === null ? [] : [{ id: otherId, text: other!.label }]),
    ];
    const names = choices.map(({ id, text }) => [id, text] as const);
    addPage(versionNumber, page, "items", names, (seed) =>
      shownItems(page.pageId, choices, otherId, seed).map(({ id }) => id),
    );
  }

  function addBlock(versionNumber: number, pages: readonly Page[]): void {
    const [first] = pages;
    if (first?.block === undefined) return;
    const names = pages.map(({ pageId, title }) => [pageId, title ?? ""] as const);
    addPage(versionNumber, first, "pages", names, (seed) => shownPages(pages, seed).map(({ pageId }) => pageId));
  }

  const pages = () =>
    [...shuffledPages.values()].map(({ byVersion, ...shuffled }) => {
      const read: ReadOrder = (versionNumber, seed) => (seed ? (byVersion.get(versionNumber)?.(seed) ?? null) : null);
      return { ...shuffled, read };
    });

  return { add, of, pages };
}

type Order = (seed: number) => string[];
type Entries = readonly (readonly [id: string, text: string])[];
