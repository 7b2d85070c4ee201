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
    if (isPrepared(asked) && keepsPlans(this)) texts.add(asked.text);
    return query.apply(this, given);
  };
  Reflect.set(Client.prototype, "query", recorded);
  return { texts, [Symbol.dispose]: () => void Reflect.set(Client.prototype, "query", query) };
}

function isPrepared(asked: unknown): asked is { text: string; name: string } {
  return typeof asked === "object" && asked !== null && "name" in asked && "text" in asked;
}

function keepsPlans(client: Client): boolean {
  const { options } = (client as unknown as { connectionParameters: { options?: string } }).connectionParameters;
  return options?.includes("force_generic_plan") === true;
}
