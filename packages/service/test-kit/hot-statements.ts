import { Client } from "pg";

export interface HotStatements extends Disposable {
  /** As they were sent. */
  texts: ReadonlySet<string>;
}

/** Records the statements with parameters that are sent over connections with kept plans, by any service of this process. */
export function recordHotStatements(): HotStatements {
  const texts = new Set<string>();
  const query = Reflect.get(Client.prototype, "query") as (...given: unknown[]) => unknown;
  const recorded = function (this: Client, ...given: unknown[]) {
    const [asked] = given;
    if (keepsPlans(this)) for (const { text } of preparedIn(asked)) texts.add(text);
    return query.apply(this, given);
  };
  Reflect.set(Client.prototype, "query", recorded);
  return { texts, [Symbol.dispose]: () => void Reflect.set(Client.prototype, "query", query) };
}

/** A statement, or a chunk of several; without those that begin and end a transaction. */
function preparedIn(asked: unknown): { text: string }[] {
  if (typeof asked !== "object" || asked === null) return [];
  const statements = "statements" in asked ? (asked.statements as { text: string }[]) : [asked as { text: string }];
  return statements.filter(({ text }) => text.includes("$"));
}

function keepsPlans(client: Client): boolean {
  const { options } = (client as unknown as { connectionParameters: { options?: string } }).connectionParameters;
  return options?.includes("force_generic_plan") === true;
}
