import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { definitionOf, eventCatalogue, type EventType } from "./event-catalogue.ts";

const page = `${import.meta.dirname}/../README.md`;
const header = "| event | published by | when | consumed by |\n|---|---|---|---|\n";

function row(type: EventType): string {
  const { sources, when, consumers, notice } = definitionOf(type);
  if (when === undefined) return "";
  const consumedBy = [
    ...consumers.map(({ service, consumer }) => `${service} (\`${consumer}\`)`),
    ...(notice ? ["gateways, as a notice that may be lost"] : []),
  ];
  return `| ${type} | ${sources.join(", ")} | ${when} | ${consumedBy.join(", ")} |\n`;
}

test("the README shows the catalogue; `vitest -u` writes the table", async () => {
  const table = header + (Object.keys(eventCatalogue) as EventType[]).map(row).join("");
  const text = await readFile(page, "utf8");
  await expect(text.replace(/\| event \|[^]*?\n(?=\n)/, () => table)).toMatchFileSnapshot(page);
});
