import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tools } from "./tools.ts";

const contract = new URL("../../../docs/contract.md", import.meta.url);
const words = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word!);

test("the contract lists the tools with their operations", () => {
  const [, section = ""] = readFileSync(contract, "utf8").split("\n**12.3 ");
  const rows = [...section.split("\n**12.4 ")[0]!.matchAll(/^\| (`.*) \| (`.*) \|$/gm)];
  const listed = rows.flatMap(([, names, operations]) => {
    const called = words(operations!);
    return words(names!).map((name, index) => [name, called[index]]);
  });
  expect(listed).toEqual(tools.map(({ name, operationId }) => [name, operationId]));
});
