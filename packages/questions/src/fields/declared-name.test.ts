import { expect, test } from "vitest";
import { countingIds } from "../../test/sample-question.ts";
import { ask, page } from "../../test/sample-survey.ts";
import { conditionResolver } from "../conditions/named-conditions.ts";
import { noFormer } from "../document/former-survey.ts";
import { readingDocument } from "../document/read-document.ts";
import { finish } from "../finish.ts";
import { checkDefinition } from "../structure/check-definition.ts";

const fields = [{ name: "City", type: "text" as const }];

test("conditions refer to a field in any case, and are stored with its declared spelling", () => {
  const resolve = conditionResolver({ pages: [], fields });
  const asking = (field: string) => ({ field, operator: "answered" as const });
  expect(resolve({ not: asking("CITY") })).toEqual({ not: asking("City") });
  const [same, unknown] = [asking("City"), asking("town")];
  expect([resolve(same), resolve(unknown)]).toEqual([same, unknown]);
  expect(resolve(same)).toBe(same);
});

test("a document does, too, in conditions and texts", () => {
  const element = { key: "a", type: "short_text", text: "From {{field.cITY|there}}?" };
  const asking = { ...element, key: "b", showIf: { field: "CITY", operator: "equals", value: "York" } };
  const document = { name: "s", fields, pages: [{ key: "p", elements: [element, asking] }] };
  const read = finish(
    readingDocument(document, noFormer, { newId: countingIds(), isAnswered: () => false, digest: (text) => text }),
  );
  expect(read.violations.filter(({ path }) => path.startsWith("pages"))).toEqual([]);
  const [first, second] = read.definition.pages[0]!.elements;
  expect([first!.text, second!.logic?.showIf]).toEqual([
    "From {{field.City|there}}?",
    { field: "City", operator: "equals", value: "York" },
  ]);
});

test("another spelling does not name the field", () => {
  const question = {
    ...ask("a"),
    text: "{{field.city}}",
    logic: { showIf: { field: "city", operator: "answered" as const } },
  };
  expect(checkDefinition({ pages: [page("p", [question])], fields }).map(({ path }) => path)).toEqual([
    "pages.0.elements.0.showIf.field",
    "pages.0.elements.0.text",
  ]);
});
