import type { Element, Entry, Leaf, Page, SurveyDocument, Tree } from "./survey-document.ts";

/** An answer with the document's entries in place of ids. */
export type Said =
  | { kind: "plain"; value: string | number | boolean }
  | { kind: "one"; entry: Entry }
  | { kind: "several"; entries: Entry[]; texts: Map<Entry, string> }
  | { kind: "rows"; cells: Map<Entry, Entry | string> };

/** Answers by `name`, or `name:item` on a page that repeats, the item by its key. */
export type Answers = ReadonlyMap<string, Said>;

export const placeOf = (name: string, item: string | null): string => (item === null ? name : `${name}:${item}`);

interface Scope {
  page: Page | null;
  item: string | null;
}

/** Reads contract 6.9 as it stands there: what a respondent with these answers is shown, in order. */
export class NaivePath {
  readonly shown = new Set<string>();
  /** Choices that are not carried, by place. */
  readonly #left = new Map<string, Entry[]>();
  readonly #document: SurveyDocument;
  readonly #answers: Answers;

  constructor(document: SurveyDocument, answers: Answers) {
    this.#document = document;
    this.#answers = answers;
    const { pages } = document;
    for (let at = 0; at < pages.length;) {
      const page = pages[at]!;
      at = this.#visit(page) ? this.#next(page, at) : at + 1;
    }
  }

  /** Places of questions without an answer that must have one. */
  missing(): string[] {
    return this.#asked(({ required, requiredIf }, scope) => required || (requiredIf && this.holds(requiredIf, scope)))
      .filter(([place]) => this.find(place) === undefined)
      .map(([place]) => place);
  }

  /** Places of answers with choices that are not carried. */
  uncarried(): string[] {
    return [...this.#left]
      .filter(([place, left]) => chosen(this.find(place)).some(isOneOf(left)))
      .map(([place]) => place);
  }

  /** What counts of an answer: undefined where its question is not shown, or nothing of it is. */
  find(place: string): Said | undefined {
    const said = this.shown.has(place) ? this.#answers.get(place) : undefined;
    const left = this.#left.get(place) ?? [];
    return said && chosen(said).length > 0 && chosen(said).every(isOneOf(left)) ? undefined : said;
  }

  broken(): string[] {
    return this.#asked(({ constraints = [] }, scope) =>
      constraints.some(({ must }) => this.#judge(must, scope, () => null) === false),
    ).map(([place]) => place);
  }

  /** Whether a condition holds at a place, behind the last page by default. */
  holds(tree: Tree, scope: Scope = { page: null, item: null }): boolean {
    return this.#judge(tree, scope, ({ operator }) => operator.startsWith("not_"))!;
  }

  #asked(fits: (element: Element, scope: Scope) => unknown): [string, Element][] {
    return this.#document.pages.flatMap((page) =>
      page.elements.flatMap((element) =>
        this.#items(page).flatMap((item): [string, Element][] => {
          const place = placeOf(element.name, item);
          return this.shown.has(place) && fits(element, { page, item }) ? [[place, element]] : [];
        }),
      ),
    );
  }

  #visit(page: Page): boolean {
    if (page.showIf && !this.holds(page.showIf, { page, item: null })) return false;
    const before = this.shown.size;
    for (const item of this.#items(page)) {
      for (const element of page.elements) {
        if (element.showIf && !this.holds(element.showIf, { page, item })) continue;
        const place = placeOf(element.name, item);
        const left = this.#leftChoices(element);
        if (left.length > 0 && left.length === element.choices!.length) continue;
        this.shown.add(place);
        this.#left.set(place, left);
      }
    }
    return this.shown.size > before;
  }

  /** Choices that an element does not carry. Elements are carried from pages that do not repeat. */
  #leftChoices({ choicesFrom, choices = [] }: Element): Entry[] {
    if (!choicesFrom) return [];
    const { element, which = "selected" } = choicesFrom;
    const { name } = this.#document.pages.flatMap(({ elements }) => elements).find(({ key }) => key === element)!;
    if (!this.shown.has(name)) return choices;
    const shown = choices.filter((choice) => !isOneOf(this.#left.get(name)!)(choice));
    const isChosen = isOneOf(chosen(this.find(name)));
    const carried = shown.filter((choice) => which === "shown" || isChosen(choice) === (which === "selected"));
    return choices.filter((choice) => !carried.includes(choice));
  }

  #next(page: Page, at: number): number {
    const { pages } = this.#document;
    const rule = page.skipLogic?.find(({ when }) => this.holds(when, { page, item: null }));
    if (!rule) return at + 1;
    return rule.goTo === "end" ? pages.length : pages.findIndex(({ key }) => key === rule.goTo);
  }

  #items({ loop }: Page): (string | null)[] {
    if (!loop) return [null];
    const source = this.#document.pages.flatMap(({ elements }) => elements).find(({ key }) => key === loop.element)!;
    const chosen = this.find(source.name);
    return chosen?.kind === "several" ? chosen.entries.map(({ key }) => key) : [];
  }

  #judge(tree: Tree, scope: Scope, unknown: (leaf: Leaf) => boolean | null): boolean | null {
    const judge = (part: Tree) => this.#judge(part, scope, unknown);
    if ("all" in tree) return together(tree.all.map(judge), false);
    if ("any" in tree) return together(tree.any.map(judge), true);
    if ("not" in tree) {
      const inner = judge(tree.not);
      return inner === null ? null : !inner;
    }
    const said = this.#said(tree.element, scope);
    const target = tree.answerOf === undefined ? tree.value : plain(this.#said(tree.answerOf, scope)[0]);
    if (said.length === 0 || target === undefined) return unknown(tree);
    const isNegative = tree.operator.startsWith("not_");
    const operator = tree.operator.replace(/^not_/, "");
    const compared = said.map((each) => compare(each, operator, target));
    return isNegative ? !compared.includes(true) : compared.includes(true);
  }

  /** Answers to a question: about the own item on the own page, about all items elsewhere. */
  #said(key: string, { page, item }: Scope): Said[] {
    const asked = this.#document.pages.find(({ elements }) => elements.some((each) => each.key === key))!;
    const { name } = asked.elements.find((each) => each.key === key)!;
    const items = asked === page ? [item] : this.#items(asked);
    return items.flatMap((each) => this.find(placeOf(name, each)) ?? []);
  }
}

/** Choices of an answer. */
function chosen(said: Said | undefined): Entry[] {
  if (said?.kind === "one") return [said.entry];
  return said?.kind === "several" ? said.entries : [];
}

/** Choices are carried with their keys. */
const isOneOf =
  (entries: readonly Entry[]) =>
  ({ key }: Entry): boolean =>
    entries.some((entry) => entry.key === key);

function together(parts: (boolean | null)[], decisive: boolean): boolean | null {
  if (parts.includes(decisive)) return decisive;
  return parts.includes(null) ? null : !decisive;
}

const plain = (said: Said | undefined): unknown => (said?.kind === "plain" ? said.value : undefined);

function compare(said: Said, operator: string, target: unknown): boolean {
  if (operator === "contains") return contained(said).includes(target as string);
  const value = said.kind === "one" ? said.entry.key : plain(said);
  if (value === undefined) throw new Error(`The model has no ${operator} of ${said.kind}`);
  const [one, other] = [value as number, target as number];
  switch (operator) {
    case "equals":
      return one === other;
    case "at_least":
      return one >= other;
    case "at_most":
      return one <= other;
    case "less_than":
      return one < other;
    case "greater_than":
      return one > other;
    case "between": {
      const [low, high] = target as [number, number];
      return low <= one && one <= high;
    }
    default:
      throw new Error(`The model has no ${operator}`);
  }
}

function contained(said: Said): string[] {
  if (said.kind === "several") return said.entries.map(({ key }) => key);
  return said.kind === "rows"
    ? [...said.cells.values()].map((cell) => (typeof cell === "string" ? cell : cell.key))
    : [];
}
